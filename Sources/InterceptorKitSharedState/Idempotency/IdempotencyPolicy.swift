public import InterceptorKit

/// The settings of an ``IdempotencyInterceptor``.
public struct IdempotencyPolicy: Sendable {
    /// The treatment of the record of a request that was run.
    public enum Disposition: Sendable, Hashable {
        /// The response is recorded and returned to repetitions.
        case record
        /// The request had no effect: the key is freed, and a repetition runs again.
        case release
        /// It is unknown whether the request had its effect, and repetitions are told so.
        case unknown
    }

    /// The methods that are idempotent with a key. Other requests pass unchanged. Defaults to `POST` and `PATCH`,
    /// because other methods are safe or idempotent by definition (RFC 9110 section 9.2.2).
    public var methods: Set<HTTP.Method> = [.post, .patch]
    /// The field with the key. Defaults to `Idempotency-Key`; webhooks use `webhook-id`.
    public var field = "Idempotency-Key"
    /// Whether a request without a key is refused with 400. Defaults to `false`: it runs each time.
    public var isKeyRequired = false
    /// The time after which the key of a dead replica is no longer in progress. Defaults to 15 s. The lease is extended
    /// each third of it, so a handler may run as long as it needs.
    public var lease: Duration = .seconds(15)
    /// The time for which responses and unknown outcomes are kept. Defaults to 24 h, as with Stripe.
    public var lifetime: Duration = .seconds(24 * 3600)
    /// The number of records that a principal may have at once; more are refused with 429. Defaults to 10,000, which is
    /// 640 MiB in the store with the largest responses.
    public var quota: Int? = 10_000
    /// Whether a request runs again after an unknown outcome. Defaults to `false`: it is refused with 409.
    ///
    /// Set it if the handler's effect can take place only once, because the handler commits the record's name and the
    /// fencing token with it (`Call.idempotencyLease`), or if a second run does no harm.
    public var runsAgain = false
    /// The longest time that a duplicate waits for the first response. Defaults to zero: it is refused with 409 at
    /// once.
    public var longestWait: Duration = .zero
    /// The time for the handler to finish, and for its response to be recorded, after its caller disconnected. Defaults
    /// to 10 s. With zero, the handler is cancelled at once, and its outcome is then unknown.
    public var cancellationGrace: Duration = .seconds(10)
    /// The longest time for an operation of the store, with repetitions. Defaults to 1 s.
    public var storeTimeout: Duration = .seconds(1)
    /// The behaviour while the store is unavailable. Defaults to ``IdempotencyOutagePolicy/closed``.
    public var whenUnavailable = IdempotencyOutagePolicy.closed
    /// The largest content of a request in bytes; a larger one is refused with 413. The content is read into memory,
    /// because its fingerprint is computed before the handler runs. Defaults to 1 MiB.
    public var requestLimit = 1 << 20
    /// The largest content of a response that is recorded, in bytes. A larger response reaches its caller in full, and
    /// a repetition is told that it was not kept (409). Defaults to 64 KiB.
    public var responseLimit = 64 << 10
    /// Decides the treatment of a record. Defaults to ``disposition(of:)``.
    public var disposition: @Sendable (_ result: Result<HTTP.Response, any Error>) -> Disposition
    /// Returns the route that a key is valid for. Defaults to the method and path, as in `POST /orders`.
    public var route: @Sendable (_ request: HTTP.Request) -> String

    /// Creates a policy with the defaults.
    public init() {
        disposition = Self.disposition(of:)
        route = { "\($0.method.rawValue) \($0.url.path)" }
    }

    /// Returns the default disposition. Every response is recorded, except those that ask for a repetition: 429, and
    /// 503 with `Retry-After`. After an error the outcome is unknown.
    ///
    /// Other failures are recorded too, including 500, as Stripe does and the draft states ("success or error"): the
    /// handler may have failed after its effect. A client that wants to try again uses a new key.
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

    /// The longest time for an extension, which leaves time for another within the lease.
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

/// The behaviour of an ``IdempotencyInterceptor`` while its store is unavailable.
public enum IdempotencyOutagePolicy: Sendable, Hashable {
    /// Refuses requests with a key, with 503 and `Retry-After`: nothing runs that might have run before.
    case closed
    /// Runs requests as if they had no key: a repetition can run twice.
    case open
}
