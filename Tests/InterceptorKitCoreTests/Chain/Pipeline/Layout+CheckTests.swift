import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("Layout.check")
struct LayoutCheckTests {
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
