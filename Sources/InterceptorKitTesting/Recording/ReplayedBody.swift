import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitInspection
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Content in memory, followed by its trailers or by the error with which it breaks off.
final class ReplayedBody: HTTP.BodyStream {
    private let state: Lock<(rest: Data, isRead: Bool)>
    private let ending: Result<HTTP.Headers, any Error>

    init(_ content: Data, ending: Result<HTTP.Headers, any Error>) {
        state = Lock((content, false))
        self.ending = ending
    }

    var trailers: HTTP.Headers? {
        state.withLock { $0.isRead } ? try? ending.get() : nil
    }

    func next() async throws -> Data? {
        let chunk = state.withLock { state in
            defer { state = (Data(), state.rest.isEmpty) }
            return state.rest
        }
        guard chunk.isEmpty else { return chunk }
        _ = try ending.get()
        return nil
    }

    func cancel() {}
}
