import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("Layout.check")
struct LayoutCheckTests {
    private let recorder = Recorder<String>()

    private func marker(_ name: String, _ placement: Placement?) -> Marker<Int> {
        Marker(name, recorder, placement: placement)
    }

    @Test("refuses signing outside a retry, and names the consequence and the fix")
    func misordered() {
        let error = #expect(throws: PipelineError.self) {
            try Pipeline(transport: Discarding()) {
                SignInterceptor(.hmacSHA256(keyID: "k", secret: "s"))
                RetryInterceptor(policy: .standard)
            }
        }

        expectEqual(error?.code, .order)
        expectEqual(
            error?.message,
            "RetryInterceptor is inside SignInterceptor: a retried request would carry "
                + "the first attempt's signature and date. Put RetryInterceptor before "
                + "SignInterceptor, or mark the one that is meant to stand there with "
                + "unordered(because:)."
        )
    }

    @Test("refuses two retrying interceptors, whose attempts would multiply")
    func repeated() {
        let error = #expect(throws: PipelineError.self) {
            try Pipeline(transport: Echo<Int>()) {
                RetryInterceptor(policy: .standard)
                CompositeInterceptor("inner") { RetryInterceptor(policy: .standard) }
            }
        }

        expectEqual(error?.code, .repeated)
        expectEqual(
            error?.message,
            "RetryInterceptor and RetryInterceptor are in one chain: their attempts "
                + "would multiply. Keep one, or mark the one that is meant to stand there with "
                + "unordered(because:)."
        )
    }

    @Test(
        "names for each inversion what would go wrong",
        arguments: [
            (.signing, .hedge, "would carry the first attempt's signature and date"),
            (.signing, .redirect, "would carry a signature made for another target"),
            (.signing, .token, "the credential would be added after the signature"),
            (.signing, .compression, "would be over another body than the one that is sent"),
            (.signing, .requestPreparation, "the request would be changed after it was signed"),
            (.token, .hedge, "would carry the first attempt's credential"),
            (.token, .redirect, "would carry the first origin's credential"),
            (.token, .requestPreparation, "would see a request without its base URL"),
            (.token, .cache, "would not be kept apart by credential"),
            (.token, .responseValidation, "would be refused before the token is refreshed"),
            (.cookies, .redirect, "would carry the cookies of the first target"),
            (.cookies, .token, "would carry the cookies of the first attempt"),
            (.circuitBreaker, .hedge, "would see one outcome for all attempts"),
            (.attemptTimeout, .hedge, "would cover all attempts and the waits between them"),
            (.totalTimeout, .callerDeadline, "would not know of a caller who waits for less"),
            (.hedge, .totalTimeout, "would start again with each attempt"),
            (.hedge, .fallback, "would see mapped errors instead of the responses"),
            (.retry, .responseValidation, "would see refusals instead of the responses"),
            (
                .responseValidation, .errorFilter,
                "would reach the caller without passing the error filter"
            ),
            (.hedge, .idempotencyKey, "each attempt would carry its own key"),
            (.retry, .requestPreparation, "would be made separately for each"),
            (
                .coalescing, .requestPreparation,
                "would be compared before everything that tells them"
            ),
            (.redirect, .requestPreparation, "would be added to each redirect's target too"),
            (.hedge, .concurrencyLimit, "would queue for a permit again with each attempt"),
            (
                .compression, .requestPreparation,
                "would be changed after it was encoded and digested"
            ),
            (.chaos, .retry, "injected faults would bypass what handles the network's"),
            (.localResponse, .signing, "requests with a local response would never reach it"),
            (.rateLimit, .cache, "the standard order has cache outside rate limit"),
        ] as [(Placement, Placement, String)]
    )
    func consequences(outer: Placement, inner: Placement, consequence: String) {
        let error = #expect(throws: PipelineError.self) {
            try Pipeline(transport: Echo<Int>()) {
                marker("outer", outer)
                marker("inner", inner)
            }
        }

        expectEqual(error?.message.contains(consequence), true, "\(error?.message ?? "")")
    }

    @Test("reports an interceptor's invalid setting, with its error as cause")
    func invalidSetting() {
        var policy = RetryPolicy<Int>.standard
        policy.maxAttempts = 0

        let error = #expect(throws: PipelineError.self) {
            try Pipeline(transport: Echo<Int>()) { RetryInterceptor(policy: policy) }
        }

        expectEqual(error?.code, .invalidSetting)
        expectTrue(error?.cause is SettingError)
        expectEqual(
            error?.message,
            "RetryInterceptor cannot work as configured: RetryPolicy.maxAttempts is 0 and must "
                + "be at least 1. It counts the first send."
        )
        expectEqual(error?.description, error?.message)
    }
}
