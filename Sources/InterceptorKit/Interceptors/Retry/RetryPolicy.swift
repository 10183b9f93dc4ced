/// When and how often a failed attempt is repeated.
///
/// A policy is a value: start from `standard` and change what differs. Its budget is an object: copies
/// of a policy spend from one.
public struct RetryPolicy<Input: Interceptable>: Sendable {
    /// Says whether sending an input again is safe after an outcome.
    public typealias Repeatability =
        @Sendable (
            _ input: Input, _ call: Call, _ classification: Classification
        ) -> Bool

    /// Says what to do after an attempt that was no success.
    public typealias Hook =
        @Sendable (
            _ outcome: Outcome<Input>, _ classification: Classification, _ answer: RetryAnswer
        ) async throws -> RetryAnswer

    /// The largest number of sends, the first included. Defaults to 3.
    ///
    /// In the field the second retry succeeds in about 3 and the third in 2 of 100 cases
    /// (dotnet/extensions issue 7686).
    public var maxAttempts = 3

    /// Whether more than five attempts are meant. Defaults to `false`, which refuses them when a
    /// pipeline is built (five is the cap of gRFC A6).
    public var allowsManyAttempts = false

    /// Waits after transient failures. Defaults to full jitter from 50 ms to 20 s.
    public var backoff = Backoff()

    /// Waits after throttling. Defaults to full jitter from 1 s to 20 s.
    public var throttledBackoff = Backoff(base: .seconds(1))

    /// Whether the server's `Retry-After` counts. Defaults to `true`.
    public var respectsRetryAfter = true

    /// The longest `Retry-After` that is waited for; a longer one ends the retries instead of coming
    /// early. Defaults to 60 s (as Renovate).
    public var maxRetryAfter: Duration = .seconds(60)

    /// Whether an input that came back unprocessed (``Classification/isHandedBack``) is sent again at
    /// once, one time in a call, which costs neither an attempt nor budget (the transparent retry of
    /// gRFC A6). Defaults to `true`.
    public var resendsHandedBack = true

    /// Bounds what retries add to the load of each authority; `nil` bounds nothing. Defaults to a
    /// ``RetryBudget`` of its own.
    public var budget: (any RetryAllowance)? = RetryBudget()

    /// Says what an outcome means.
    public var classifier: OutcomeClassifier<Input>

    /// Whether sending an input again is safe. An input that is not ``Replayable/isReplayable`` is
    /// never sent again, whatever this says.
    public var isRepeatable: Repeatability

    /// Has the last word after each attempt that was no success; `nil`, the default, leaves it to the
    /// policy.
    ///
    /// It is given the policy's own answer, to return as it is or to replace. A retry it asks for is
    /// still subject to the limit of attempts, to the input being replayable, to the deadline and to the
    /// budget, and its wait replaces `Retry-After`; after a wait of its choice the policy's own waits
    /// begin anew. What it throws is what the caller gets.
    public var hook: Hook?

    /// Changes an input before it is sent again; `nil`, the default, sends it as it is. Each attempt
    /// starts from the input as it came, and ``Call/attempt`` is the number of the one to come.
    public var prepare: (@Sendable (_ input: inout Input, _ call: Call) -> Void)?

    /// Creates a policy with the default numbers.
    /// - Parameters:
    ///   - classifier: Says what an outcome means.
    ///   - isRepeatable: Whether sending an input again is safe. Defaults to always, unless the call says
    ///     otherwise (``Call/isIdempotent``) and the input may have arrived.
    public init(
        classifier: OutcomeClassifier<Input>,
        isRepeatable: @escaping Repeatability = { _, call, classification in
            call.isIdempotent ?? true || classification.isUnsent
        }
    ) {
        self.classifier = classifier
        self.isRepeatable = isRepeatable
    }
}
