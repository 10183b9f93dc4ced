import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTP.Body {
    /// Returns this body with a callback for the number of bytes read, which starts again at each new reading.
    ///
    /// Bytes and files are returned unchanged, because transports send them by other means.
    func counted(_ count: @escaping @Sendable (_ bytes: Int) -> Void) -> HTTP.Body {
        guard inMemory == nil, file == nil else { return self }
        return wrapping { CountedStream($0, count) }
    }
}

private final class CountedStream: HTTP.BodyStream {
    private let source: any HTTP.BodyStream
    private let bytes = Lock(0)
    private let count: @Sendable (Int) -> Void

    init(_ source: any HTTP.BodyStream, _ count: @escaping @Sendable (Int) -> Void) {
        self.source = source
        self.count = count
    }

    nonisolated(nonsending) func next() async throws -> Data? {
        guard let chunk = try await source.next() else { return nil }
        let total = bytes.withLock { bytes in
            bytes += chunk.count
            return bytes
        }
        count(total)
        return chunk
    }

    func cancel() { source.cancel() }
}
