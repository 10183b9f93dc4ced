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
        /// The body was read to its end.
        case completed
        /// The body was cancelled, or released before its end.
        case abandoned
        /// Reading the body threw an error.
        case failed(any Error)
    }
}

extension HTTP.Body {
    /// Returns the body so that it reports each chunk that a reader gets, and how each reading ended.
    ///
    /// A body that can be read once ends once, even if nobody reads it. One that can be read again ends once
    /// for each reading, and is no longer ``inMemory``.
    /// - Parameters:
    ///   - onChunk: Gets each chunk before the reader does; must return at once. Defaults to nothing.
    ///   - onEnd: Gets how the reading ended. Defaults to nothing.
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
