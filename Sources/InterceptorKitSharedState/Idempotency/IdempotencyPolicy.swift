public import InterceptorKit

/// The settings of an ``IdempotencyInterceptor``.
public struct IdempotencyPolicy: Sendable {
    /// What happens to the record of a request that was run.
    public enum Disposition: Sendable, Hashable {
        /// The response is recorded and returned to repetitions.
        case record
        /// The request had no effect: the key is free, and a repetition runs again.
        case release
        /// It is unknown whether the request had its effect: repetitions are told so.
        case unknown
    }

    /// The methods that are idempotent with a key. Others pass. Defaults to `POST` and `PATCH`, since the rest
    /// are safe or idempotent by themselves (RFC 9110 section 9.2.2).
    public var methods: Set<HTTP.Method> = [.post, .patch]
    /// The field with the key. Defaults to `Idempotency-Key`; for webhooks, `webhook-id` is the same.
    public var field = "Idempotency-Key"
    /// Whether a request without a key is refused with 400. Defaults to `false`: it runs, and its repetition
    /// runs again.
    public var isKeyRequired = false
    /// The time after which the key of a replica that died is no longer in progress. Defaults to 15 s; a
    /// third of it passes between two extensions, so a handler may run as long as it likes.
    public var lease: Duration = .seconds(15)
    /// The time for which responses, and outcomes that are unknown, are kept. Defaults to 24 h, as with
    /// Stripe.
    public var lifetime: Duration = .seconds(24 * 3600)
    /// The number of records that a principal may have at once; more are refused with 429. Defaults to
    /// 10,000: with the largest responses, 640 MiB in the store.
    public var quota: Int? = 10_000
    /// Whether a request runs again if a former holder's outcome is unknown. Defaults to `false`: it is refused
    /// with 409.
    ///
    /// Switch it on if the handler's effect can take place once only, since the handler commits the record's name and
    /// the fencing token with it (`Call.idempotencyLease`), or if running twice does no harm.
    public var runsAgain = false
    /// The longest time that a duplicate waits for the response of the first request. Defaults to zero: it is
    /// refused with 409 at once.
    public var longestWait: Duration = .zero
    /// The time that a handler has left to finish, and its response to be recorded, after its caller has gone.
    /// Defaults to 10 s. With zero, it is cancelled at once, and its outcome is then unknown.
    public var cancellationGrace: Duration = .seconds(10)
    /// The longest time for the store's answer, with repetitions. Defaults to 1 s.
    public var storeTimeout: Duration = .seconds(1)
    /// What happens when the store is away. Defaults to ``IdempotencyOutagePolicy/closed``.
    public var whenUnavailable = IdempotencyOutagePolicy.closed
    /// The largest content of a request in bytes; a larger one is refused with 413. It is read into memory,
    /// since its fingerprint comes before the handler. Defaults to 1 MiB.
    public var requestLimit = 1 << 20
    /// The largest content of a response that is recorded, in bytes. A larger one reaches its caller in full,
    /// and a repetition is told that it was not kept (409). Defaults to 64 KiB.
    public var responseLimit = 64 << 10
    /// Decides what happens to a record. The default is ``disposition(of:)``.
    public var disposition: @Sendable (_ result: Result<HTTP.Response, any Error>) -> Disposition
    /// The route that a key holds for. Defaults to the method and path, as in `POST /orders`.
    public var route: @Sendable (_ request: HTTP.Request) -> String

    /// Creates a policy with the defaults.
    public init() {
        disposition = Self.disposition(of:)
        route = { "\($0.method.rawValue) \($0.url.path)" }
    }

    /// The default: every response is recorded, but for those that ask to be repeated: 429, and 503 with
    /// `Retry-After`. After an error the outcome is unknown.
    ///
    /// Other failures are recorded too, 500 among them, as Stripe does and the draft has it ("success or
    /// error"): the handler may have failed after its effect. A client that wants to try again takes a new
    /// key.
    public static func disposition(of result: Result<HTTP.Response, any Error>) -> Disposition {
        switch result {
        case .success(let response) where response.status == 429: .release
        case .success(let response)
        where response.status == 503 && response.headers.contains("Retry-After"): .release
        case .success: .record
        case .failure: .unknown
        }
    }

    var terms: IdempotencyTerms {
        IdempotencyTerms(lease: lease, lifetime: lifetime, quota: quota, runsAgain: runsAgain)
    }

    /// The longest time for an extension, so that another fits into the lease.
    var extensionTimeout: Duration { min(storeTimeout, lease / 3) }

    func validate() throws(SettingError) {
        let check = SettingCheck(of: "IdempotencyPolicy")
        try check.require(
            HTTP.FieldSyntax.isToken(field),
            "field",
            HTTP.printable(field),
            "a token, as the names of fields are"
        )
        try check.positive("lease", lease)
        try check.positive("lifetime", lifetime)
        try check.notNegative("longestWait", longestWait)
        try check.notNegative("cancellationGrace", cancellationGrace)
        try check.positive("storeTimeout", storeTimeout)
        try check.require(
            storeTimeout <= lease / 2,
            "storeTimeout",
            storeTimeout.formattedSeconds,
            "at most half of the lease",
            "A holder must be able to record its response before its lease ends."
        )
        try check.notNegative("requestLimit", requestLimit)
        try check.notNegative("responseLimit", responseLimit)
        if let quota { try check.positive("quota", quota) }
    }
}

/// What an ``IdempotencyInterceptor`` does when its store cannot be asked.
public enum IdempotencyOutagePolicy: Sendable, Hashable {
    /// Refuses requests with a key, with 503 and `Retry-After`: nothing runs that might have run before.
    case closed
    /// Runs requests as if they had no key: a repetition can run twice.
    case open
}
