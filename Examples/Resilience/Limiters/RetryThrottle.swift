import InterceptorKit

/// Stops retries to an authority while more than half of its tokens are gone: gRPC's retry throttling
/// (gRFC A6).
///
/// Each failure takes a token, each success gives a fraction of one back.
final class RetryThrottle: RetryLimiter {
    // In thousandths, as the source has it, so that a sum of fractions is exact.
    private let most: Int
    private let gain: Int
    private let tokens: PerAuthority<Tokens>

    /// Creates a throttle.
    /// - Parameters:
    ///   - maxTokens: How many tokens there are at most, from 1 to 1,000. Defaults to 10, the source's
    ///     example.
    ///   - tokenRatio: What a success gives back, to three decimals. Defaults to 0.1, the same example.
    ///   - authorities: How many authorities are remembered; the least recently used leaves. Defaults to
    ///     64.
    init(maxTokens: Int = 10, tokenRatio: Double = 0.1, authorities: Int = 64) {
        let most = min(max(maxTokens, 0), 1_000_000) * 1000
        self.most = most
        gain = tokenRatio > 0 ? Int(min(tokenRatio, 1000) * 1000) : 0
        tokens = PerAuthority(limit: authorities) { _ in Tokens(most) }
    }

    /// How many tokens are left.
    func tokens(of authority: String?) -> Double {
        Double(tokens[authority].count) / 1000
    }

    func recordFirstAttempt(to authority: String?, at instant: Runtime.Instant) {}

    func allowsResend(
        to authority: String?,
        at instant: Runtime.Instant,
        after failure: Classification?
    ) -> Bool {
        tokens[authority].count > most / 2
    }

    func recordFailure(to authority: String?, _ failure: Classification) {
        tokens[authority].change { max(0, $0 - 1000) }
    }

    func recordSuccess(to authority: String?, after failure: Classification?) {
        tokens[authority].change { min(most, $0 + gain) }
    }

    func validate() throws(SettingError) {
        let check = SettingCheck(of: "RetryThrottle")
        try check.within(1...1_000, "maxTokens", most / 1000)
        try check.positive("tokenRatio, in thousandths,", gain)
    }
}
