import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads a body on behalf of a stream around it: opened when it is first read, so that a body which is
/// only passed on stays readable.
final class BodySource: BodyStream {
    private enum State {
        case unread
        case reading(BodyReader)
        case ended
    }

    private let body: HTTP.Body
    private let state = Lock(State.unread)

    init(_ body: HTTP.Body) { self.body = body }

    var trailers: HTTP.Headers? { body.trailers }

    nonisolated(nonsending) func next() async throws -> Data? {
        if let reader = try opened() { return try await reader.next() }
        let reader = try await body.storage.open()
        try state.withLock { state throws(CancellationError) in
            // Cancelled while it was being opened.
            guard case .unread = state else { throw CancellationError() }
            state = .reading(reader)
        }
        return try await reader.next()
    }

    private func opened() throws(CancellationError) -> BodyReader? {
        try state.withLock { state throws(CancellationError) in
            switch state {
            case .unread: return nil
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
        case .unread: body.cancel()
        case .reading(let reader): reader.cancel()
        case .ended: break
        }
    }
}
