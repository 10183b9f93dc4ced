import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The beginning of a body, followed by the error of a lost connection.
final class TruncatedStream: HTTP.BodyStream {
    private let base: any HTTP.BodyStream
    private let rest: Lock<Int>

    /// - Parameter count: The number of bytes that arrive.
    init(_ body: HTTP.Body, after count: Int) {
        base = body.stream()
        rest = Lock(count)
    }

    nonisolated(nonsending) func next() async throws -> Data? {
        let limit = rest.withLock(\.self)
        if limit > 0, let chunk = try await base.next() {
            rest.withLock { $0 -= min(limit, chunk.count) }
            return chunk.prefix(limit)
        }
        base.cancel()
        throw TransportError(
            .connectionLost,
            "The connection was lost within the body (injected fault)."
        )
    }

    func cancel() { base.cancel() }
}
