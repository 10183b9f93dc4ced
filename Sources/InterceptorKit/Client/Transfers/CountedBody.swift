#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTP.Body {
    /// The body, telling how many bytes were read of it, anew each time it is read from its beginning.
    ///
    /// Bytes and files stay as they are: transports send them in ways of their own.
    func counted(_ count: @escaping @Sendable (_ bytes: Int) -> Void) -> HTTP.Body {
        switch storage {
        case .bytes, .file:
            self
        case .replayable(let length, let make):
            HTTP.Body(
                .replayable(length: length) {
                    CountedStream(BodyReader(try await make()), count)
                }
            )
        case .oneShot(let body):
            .oneShot(length: body.length, CountedStream(body, count))
        }
    }
}

/// A stream that tells how many bytes were read of it.
private final class CountedStream: BodyStream {
    private enum Source {
        case unread(OneShotBody)
        case reading(BodyReader)
        case ended
    }

    private let source: Lock<Source>
    private let bytes = Lock(0)
    private let count: @Sendable (Int) -> Void

    init(_ reader: BodyReader, _ count: @escaping @Sendable (Int) -> Void) {
        source = Lock(.reading(reader))
        self.count = count
    }

    init(_ body: OneShotBody, _ count: @escaping @Sendable (Int) -> Void) {
        source = Lock(.unread(body))
        self.count = count
    }

    nonisolated(nonsending) func next() async throws -> Data? {
        guard let reader = try reader(), let chunk = try await reader.next() else { return nil }
        let total = bytes.withLock { bytes in
            bytes += chunk.count
            return bytes
        }
        count(total)
        return chunk
    }

    private func reader() throws -> BodyReader? {
        try source.withLock { source in
            switch source {
            case .unread(let body):
                let reader = try body.claim()
                source = .reading(reader)
                return reader
            case .reading(let reader): return reader
            case .ended: throw CancellationError()
            }
        }
    }

    func cancel() {
        let open = source.withLock { source in
            let open = source
            source = .ended
            return open
        }
        switch open {
        case .unread(let body): body.cancel()
        case .reading(let reader): reader.cancel()
        case .ended: break
        }
    }
}
