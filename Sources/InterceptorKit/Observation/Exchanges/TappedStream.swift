#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTP.Body {
    /// The body of a response, telling once what its reader has seen of it when that ends.
    func tapped(upTo limit: Int, _ ended: @escaping @Sendable (SeenBody) -> Void) -> HTTP.Body {
        guard case .oneShot(let body) = storage else { return self }
        return .oneShot(length: body.length, TappedStream(BodySource(body), limit, ended))
    }
}

private final class TappedStream: BodyStream {
    private let base: BodySource
    private let limit: Int
    private let state: Lock<(seen: SeenBody, ended: (@Sendable (SeenBody) -> Void)?)>

    init(_ base: BodySource, _ limit: Int, _ ended: @escaping @Sendable (SeenBody) -> Void) {
        self.base = base
        self.limit = limit
        state = Lock((SeenBody(), ended))
    }

    deinit { end(.abandoned) }

    var trailers: HTTP.Headers? { base.trailers }

    nonisolated(nonsending) func next() async throws -> Data? {
        do {
            guard let chunk = try await base.next() else {
                end(.completed)
                return nil
            }
            state.withLock { state in
                state.seen.count += chunk.count
                let room = limit - state.seen.beginning.count
                if room > 0 { state.seen.beginning += chunk.prefix(room) }
            }
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
        let (seen, ended) = state.withLock { state in
            defer { state.ended = nil }
            state.seen.ending = ending
            state.seen.failure = failure
            return (state.seen, state.ended)
        }
        ended?(seen)
    }
}
