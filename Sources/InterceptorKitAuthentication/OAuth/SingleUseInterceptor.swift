import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// Prevents a second use of a refresh token: sends it again only after a response or an error that shows it to be
/// unused, and never twice at once. If the server used the token and its response got lost, it treats a second use as
/// theft (RFC 9700 section 4.14.2).
struct SingleUseInterceptor: Interceptor {
    /// The error of a withheld request, for a retry or hedge above.
    struct Withheld: ClassifiedError {
        /// The error after which it is unknown whether the token was used; `nil` while a request is in flight.
        let cause: (any Error)?

        var classification: Classification {
            Classification(.rejected, reason: "refresh token may have been used")
        }
    }

    private enum State {
        case free
        case sent
        case lost(any Error)
    }

    private final class Use: Sendable {
        private let state = Lock(State.free)

        func begin() throws(Withheld) {
            try state.withLock { state throws(Withheld) in
                switch state {
                case .free: state = .sent
                case .sent: throw Withheld(cause: nil)
                case .lost(let error): throw Withheld(cause: error)
                }
            }
        }

        func end(by error: (any Error)?) {
            let isKnown = error.map(JournaledSource.isRefreshTokenUnused) ?? true
            state.withLock { $0 = isKnown ? .free : error.map(State.lost) ?? .free }
        }
    }

    private let use = Use()

    nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        try use.begin()
        do {
            let response = try await chain.proceed()
            use.end(by: nil)
            return response
        } catch {
            use.end(by: error)
            throw error
        }
    }
}
