#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a stream that stands in for another reads from: claimed when it is first read, so that a body
/// which is only passed on stays readable.
final class BodySource: Sendable {
    private enum State {
        case unread(OneShotBody)
        case reading(BodyReader)
        case ended
    }

    private let state: Lock<State>
    private let body: OneShotBody?

    init(_ body: OneShotBody) {
        state = Lock(.unread(body))
        self.body = body
    }

    init(_ reader: BodyReader) {
        state = Lock(.reading(reader))
        body = nil
    }

    var trailers: HTTP.Headers? { body?.trailers }

    nonisolated(nonsending) func next() async throws -> Data? {
        try await reader().next()
    }

    private func reader() throws -> BodyReader {
        try state.withLock { state in
            switch state {
            case .unread(let body):
                let reader = try body.claim()
                state = .reading(reader)
                return reader
            case .reading(let reader): return reader
            case .ended: throw CancellationError()
            }
        }
    }

    func cancel() {
        let open = state.withLock { state in
            let open = state
            state = .ended
            return open
        }
        switch open {
        case .unread(let body): body.cancel()
        case .reading(let reader): reader.cancel()
        case .ended: break
        }
    }
}
