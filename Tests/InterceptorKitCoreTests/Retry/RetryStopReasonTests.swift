import Expectations
import InterceptorKit
import TestSupport
import Testing

@testable import InterceptorKitCore

@Suite("RetryStopReason")
struct RetryStopReasonTests {
    /// Programs tell by these why an attempt was not repeated.
    @Test(
        "keeps the published names of its rules",
        arguments: [
            (.attempts(3), "attempts"), (.sentOnce, "replay"), (.unsafe, "safety"),
            (.retryAfter(.seconds(90)), "retry_after"), (.deadline, "deadline"),
            (.budget, "budget"), (.hook, "hook"), (.cancelled, "cancellation"),
            (.retries(2, .read), "retries"),
        ] as [(RetryStopReason, String)]
    )
    func rules(stop: RetryStopReason, rule: String) {
        expectEqual(stop.rule, rule)
    }

    @Test(
        "describes each rule to people",
        arguments: [
            (.attempts(1), "retries are off"), (.attempts(3), "all 3 attempts failed"),
            (.sentOnce, "it can be sent only once"),
            (.unsafe, "sending it again would not be safe"),
            (.retryAfter(.seconds(90)), "the server asked to wait 90 s, longer than allowed"),
            (.deadline, "the deadline comes before the next attempt"),
            (.budget, "the budget for sending again is used up"),
            (.hook, "the policy's hook decided so"), (.cancelled, "the call was cancelled"),
            (.retries(0, .connect), "retries after connect failures are off"),
            (.retries(1, .status), "the one retry after status failures is used up"),
            (.retries(2, .read), "all 2 retries after read failures are used up"),
        ] as [(RetryStopReason, String)]
    )
    func reasons(stop: RetryStopReason, reason: String) {
        expectEqual(stop.reason, reason)
    }
}
