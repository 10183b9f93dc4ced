import Testing

@testable import InterceptorKit

@Suite("RetryStop")
struct RetryStopTests {
    /// Programs tell by these why an attempt was not repeated.
    @Test(
        "names its rules for good",
        arguments: [
            (.attempts(3), "attempts"), (.sentOnce, "replay"), (.unsafe, "safety"),
            (.retryAfter(.seconds(90)), "retry_after"), (.deadline, "deadline"),
            (.budget, "budget"), (.hook, "hook"), (.cancelled, "cancellation"),
        ] as [(RetryStop, String)]
    )
    func rules(stop: RetryStop, rule: String) {
        #expect(stop.rule == rule)
    }
}
