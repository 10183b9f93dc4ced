import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension CallClass {
    /// The response to a request of the class, drawn by the seed, the call and the attempt alone.
    nonisolated(nonsending) func response(
        to number: Int,
        _ call: Call,
        seed: UInt64
    ) async throws -> HTTP.Response {
        let runtime = call.runtime
        let draw = { (purpose: UInt64) in
            LeagueDraw.fraction(seed, UInt64(number), UInt64(call.attempt), purpose)
        }
        let index = call[NumberInClass.self]
        switch failure(call: index, attempt: call.attempt, draw(1)) {
        case .silence:
            try await runtime.sleep(for: .seconds(3600))
        case .reset:
            try await runtime.sleep(for: .milliseconds(1))
            throw TransportError(
                .connectionLost,
                "The service resets connections.",
                isUnsent: false
            )
        case .status(let code, let wait):
            try await runtime.sleep(for: .milliseconds(1))
            return HTTP.Response(
                HTTP.Status(code),
                headers: wait.map { ["Retry-After": "\($0)"] } ?? [:]
            )
        case nil:
            break
        }
        try await runtime.sleep(for: .seconds(latency(draw(3), draw(4))))
        guard let download else { return HTTP.Response(200) }
        return HTTP.Response(200, body: .oneShot(DownloadedChunks(download, runtime)))
    }
}

/// The chunks of a download, each after its time.
private struct DownloadedChunks: AsyncSequence, Sendable {
    let download: CallClass.Download
    let runtime: Runtime

    init(_ download: CallClass.Download, _ runtime: Runtime) {
        self.download = download
        self.runtime = runtime
    }

    func makeAsyncIterator() -> Iterator { Iterator(chunks: self) }

    struct Iterator: AsyncIteratorProtocol {
        let chunks: DownloadedChunks
        var sent = 0

        mutating func next() async throws -> Data? {
            guard sent < chunks.download.chunks else { return nil }
            sent += 1
            try await chunks.runtime.sleep(for: .seconds(chunks.download.gap))
            return Data(repeating: 0, count: chunks.download.bytesPerChunk)
        }
    }
}
