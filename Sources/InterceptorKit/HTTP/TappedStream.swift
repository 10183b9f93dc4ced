#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTP.Body {
    /// The body of a response, telling of each chunk that its reader is given, and once how it ended.
    /// - Parameters:
    ///   - received: Is given each chunk before the reader is.
    ///   - ended: Is told how the body ended, whether it was read to its end, broke off, was cancelled or
    ///     let go of, and what it broke off with.
    func tapped(
        received: @escaping @Sendable (_ chunk: Data) -> Void,
        ended: @escaping @Sendable (_ ending: Event.Ending, _ failure: (any Error)?) -> Void
    ) -> HTTP.Body {
        guard case .oneShot(let body) = storage else { return self }
        return .oneShot(length: body.length, TappedStream(BodySource(body), received, ended))
    }
}

private final class TappedStream: BodyStream {
    typealias Ended = @Sendable (Event.Ending, (any Error)?) -> Void

    private let base: BodySource
    private let received: @Sendable (Data) -> Void
    private let ended: Lock<Ended?>

    init(
        _ base: BodySource,
        _ received: @escaping @Sendable (Data) -> Void,
        _ ended: @escaping Ended
    ) {
        self.base = base
        self.received = received
        self.ended = Lock(ended)
    }

    deinit { end(.abandoned) }

    var trailers: HTTP.Headers? { base.trailers }

    nonisolated(nonsending) func next() async throws -> Data? {
        do {
            guard let chunk = try await base.next() else {
                end(.completed)
                return nil
            }
            received(chunk)
            return chunk
        } catch {
            end(Event.Ending(of: error), error)
            throw error
        }
    }

    func cancel() {
        end(.abandoned)
        base.cancel()
    }

    private func end(_ ending: Event.Ending, _ failure: (any Error)? = nil) {
        ended.withLock { $0.take() }?(ending, failure)
    }
}
