import InterceptorKit
import Synchronization

/// Rejects calls above a ``GradientLimit`` at once, as Netflix's clients do.
struct GradientLimitInterceptor: Interceptor {
    private final class Shared: Sendable {
        let state = Mutex((limit: GradientLimit(), inFlight: 0))
    }

    private let shared = Shared()

    var placement: Placement? { .rateLimit }

    func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
        let inFlight: Int? = shared.state.withLock { state in
            guard Double(state.inFlight) < state.limit.limit.rounded(.down) else { return nil }
            state.inFlight += 1
            return state.inFlight
        }
        guard let inFlight else { throw SendRateError(.zero) }
        let began = chain.call.runtime.now
        defer {
            let seconds = began.duration(to: chain.call.runtime.now) / .seconds(1)
            shared.state.withLock { state in
                state.inFlight -= 1
                state.limit.add(seconds, inFlight: inFlight)
            }
        }
        return try await chain.proceed()
    }
}
