import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTP.Body {
    /// The body, telling how many bytes were read of it, again each time it is read from its beginning.
    ///
    /// Bytes and files stay as they are: transports send them in ways of their own.
    func counted(_ count: @escaping @Sendable (_ bytes: Int) -> Void) -> HTTP.Body {
        guard inMemory == nil, file == nil else { return self }
        return wrapping { CountedStream($0, count) }
    }
}

/// A stream that tells how many bytes were read of it.
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
