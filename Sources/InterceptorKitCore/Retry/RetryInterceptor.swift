/// Retries attempts that failed with a transient error.
///
/// Everything below it runs again for each attempt, so put it **outside** interceptors that must run again: a
/// credential, a signature, an attempt's time limit. The number of sends never exceeds the policy's
/// ``RetryPolicy/maxAttempts``, except for one input that was returned unprocessed and is sent again at once. Retries
/// never exceed the policy's budget. A wait that would outlast the call's deadline does not begin.
///
/// After the last attempt, the last response is returned or the last error is thrown unchanged, with the history of the
/// last 32 attempts if its type is an ``AttemptHistory``. Cancellation ends a wait at once and prevents any further
/// send; a response that has already arrived is still returned.
///
/// A call whose first attempt succeeds costs one clock reading and one budget entry.
public struct RetryInterceptor<Input: Interceptable>: Interceptor {
    private let rules: RetryRules<Input>

    /// Creates an interceptor.
    /// - Parameter policy: The rules for when and how often to retry. For one call, see ``Call/retryLimit`` and
    ///   ``Call/useRetryPolicy(_:)``.
    public init(policy: RetryPolicy<Input>) { rules = RetryRules(policy) }

    /// Creates an interceptor with the standard policy of the input's type.
    ///
    /// ```swift
    /// RetryInterceptor(),
    /// RetryInterceptor(maxAttempts: 5),
    /// RetryInterceptor(alsoWhen: { $0.response?.status == .conflict }),
    /// ```
    /// - Parameters:
    ///   - maxAttempts: The maximum number of sends, including the first. Defaults to 4.
    ///   - condition: Further outcomes to retry, even if it may not be safe to send twice. Defaults to none.
    public init(
        maxAttempts: Int = 4,
        alsoWhen condition: (@Sendable (_ outcome: Outcome<Input>) -> Bool)? = nil
    ) {
        var policy = RetryPolicy<Input>.standard
        policy.maxAttempts = maxAttempts
        policy.alsoRetries = condition
        self.init(policy: policy)
    }

    public var placement: Placement? { .retry }

    public var keepsDeadline: Bool { true }

    public func validate() throws { try rules.policy.validate() }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        let call = chain.call
        let rules = call.retryRules() ?? rules
        let began = call.runtime.now
        let authority = rules.begin(chain, at: began)
        let output: Input.Output
        do {
            // Below another retry, the attempts are numbered from 1 again.
            output =
                call.attempt == 1
                ? try await chain.proceed()
                : try await chain.proceed(chain.input, call: call.withAttempt(1))
        } catch {
            // No time is left.
            if error is LateError { throw error }
            return try await continueCall(chain, rules, to: authority, since: began, after: error)
        }
        if rules.recognises(output, of: chain, from: authority) { return consume output }
        return try await continueCall(chain, rules, to: authority, since: began, after: output)
    }

    // Separate functions, because a generic function reserves its full frame on entry and most calls need neither.

    private nonisolated(nonsending) func continueCall(
        _ chain: InterceptorChain<Input>,
        _ rules: RetryRules<Input>,
        to authority: String?,
        since began: Runtime.Instant,
        after output: Input.Output
    ) async throws -> Input.Output {
        try await chain.call.keepingDeadline { call in
            var retried = RetriedCall(chain.guarded(call), rules, to: authority, since: began)
            return try await retried.continueCall(after: .success(output))
        }
    }

    private nonisolated(nonsending) func continueCall(
        _ chain: InterceptorChain<Input>,
        _ rules: RetryRules<Input>,
        to authority: String?,
        since began: Runtime.Instant,
        after error: any Error
    ) async throws -> Input.Output {
        try await chain.call.keepingDeadline { call in
            var retried = RetriedCall(chain.guarded(call), rules, to: authority, since: began)
            return try await retried.continueCall(after: .failure(error))
        }
    }
}

extension Event.Name {
    /// Another attempt will be made, for a `reason` and after a `delay`.
    public static let retryScheduled: Self = "retry.scheduled"
    /// No further attempt will be made although the last one failed: `reason`, `rule`, `outcome`.
    public static let retryStopped: Self = "retry.stopped"
}

extension Call {
    /// Validates a retry policy and uses it for this call only.
    /// - Throws: ``SettingError``.
    public mutating func useRetryPolicy<Input>(
        _ policy: RetryPolicy<Input>
    ) throws(SettingError) {
        try policy.validate()
        self[ResendSettingsKey.self].rules = RetryRules(policy)
    }

    fileprivate func retryRules<Input>(for input: Input.Type = Input.self) -> RetryRules<Input>? {
        guard let rules = self[ResendSettingsKey.self].rules else { return nil }
        return rules as? RetryRules<Input>
    }
}
