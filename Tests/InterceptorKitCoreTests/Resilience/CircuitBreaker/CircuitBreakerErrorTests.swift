import Expectations
import InterceptorKit
import TestSupport
import Testing

@testable import InterceptorKitCore

@Suite("CircuitBreakerError")
struct CircuitBreakerErrorTests {
    @Test("is worth another try only if it says when a call may be let through")
    func classification() {
        let open = CircuitBreakerError.open("a", retryAfter: .seconds(3), cause: "it fails")
        let isolated = CircuitBreakerError.isolated("a")

        expectEqual(
            open.classification,
            Classification(
                .rejected,
                reason: "circuit breaker open",
                retryAfter: .seconds(3),
                isUnsent: true
            )
        )
        expectTrue(open.classification.isRetryable)
        expectTrue(isolated.classification.isUnsent)
        expectTrue(!isolated.classification.isRetryable)
    }

    @Test("says what happened in whole sentences, and then what was tried")
    func description() {
        var error = CircuitBreakerError.isolated(nil)
        error.attempts = [
            Attempt(number: 1, reason: "503", duration: .zero, delay: .seconds(1)),
            Attempt(number: 2, reason: "circuit breaker isolated", duration: .zero, delay: nil),
        ]

        expectEqual(
            error.description,
            """
            The circuit breaker for these calls was isolated by hand. Nothing was sent, and \
            nothing will be until it is reset.
            attempt 1: 503, then waited 1 s
            attempt 2: circuit breaker isolated
            """
        )
    }
}
