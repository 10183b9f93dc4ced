import InterceptorKit
import Synchronization

/// Lets a number of calls through in each minute and has the others wait for the next one.
///
/// Its time is the call's, so that a test can be in the next minute at once.
final class QuotaInterceptor: Interceptor {
    private let limit: Int
    private let state = Mutex((minute: Int64(0), count: 0))

    init(_ limit: Int) { self.limit = limit }

    func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
        let runtime = chain.call.runtime
        while let instant = full(at: runtime.now) {
            chain.call.emit("quota.used_up")
            try await runtime.sleep(until: instant)
        }
        return try await chain.proceed()
    }

    // When to ask again; nil if there was room.
    private func full(at now: Runtime.Instant) -> Runtime.Instant? {
        let minute = now.offset.components.seconds / 60
        return state.withLock { state in
            if state.minute != minute { state = (minute, 0) }
            guard state.count < limit else {
                return Runtime.Instant(offset: .seconds((minute + 1) * 60))
            }
            state.count += 1
            return nil
        }
    }
}
