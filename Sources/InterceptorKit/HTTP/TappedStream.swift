import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
    /// How the reading of a body ended.
    public enum BodyEnding: Sendable {
        /// It was read to its end.
        case completed
        /// It was cancelled, or released before its end.
        case abandoned
        /// Reading it threw.
        case failed(any Error)
    }
}

extension HTTP.Body {
    /// The body, telling of each chunk that a reader is given, and how each reading ended.
    ///
    /// A body that can be read once ends once, also if nobody reads it; one that can be read again ends
    /// once for each reading, and is then no longer ``inMemory``.
    /// - Parameters:
    ///   - onChunk: Is given each chunk before the reader is; must return at once. Defaults to nothing.
    ///   - onEnd: Is told how the reading ended. Defaults to nothing.
    public func tapped(
        onChunk: @escaping @Sendable (_ chunk: Data) -> Void = { _ in },
        onEnd: @escaping @Sendable (_ ending: HTTP.BodyEnding) -> Void = { _ in }
    ) -> HTTP.Body {
        wrapping { TappedStream($0, onChunk, onEnd) }
    }
}

private final class TappedStream: BodyStream {
    typealias OnEnd = @Sendable (HTTP.BodyEnding) -> Void

    private let base: any BodyStream
    private let onChunk: @Sendable (Data) -> Void
    private let onEnd: Lock<OnEnd?>

    init(
        _ base: any BodyStream,
        _ onChunk: @escaping @Sendable (Data) -> Void,
        _ onEnd: @escaping OnEnd
    ) {
        self.base = base
        self.onChunk = onChunk
        self.onEnd = Lock(onEnd)
    }

    deinit { end(.abandoned) }

    nonisolated(nonsending) func next() async throws -> Data? {
        do {
            guard let chunk = try await base.next() else {
                end(.completed)
                return nil
            }
            onChunk(chunk)
            return chunk
        } catch {
            end(.failed(error))
            throw error
        }
    }

    func cancel() {
        end(.abandoned)
        base.cancel()
    }

    private func end(_ ending: HTTP.BodyEnding) { onEnd.withLock { $0.take() }?(ending) }
}
