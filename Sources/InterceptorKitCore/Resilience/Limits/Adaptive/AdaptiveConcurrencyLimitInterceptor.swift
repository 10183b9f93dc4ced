/// Limits the attempts in flight to each authority to the capacity of the server.
///
/// See ``AdaptiveConcurrencyLimit`` for the rules. Put it **inside** the retry and outside the attempt's time limit, so
/// that it measures one attempt without waits. An attempt ends with its output, for a response with its head.
public struct AdaptiveConcurrencyLimitInterceptor<Input: Interceptable>: Interceptor {
    private let settings: AdaptiveConcurrencyLimit
    private let classifier: OutcomeClassifier<Input>
    private let limiters: PerAuthority<AdaptiveLimiter>
    private let problem: SettingError?

    /// Creates an interceptor.
    /// - Parameters:
    ///   - settings: The settings of the limit. Defaults to the standard numbers.
    ///   - classifier: Classifies attempts. Timeouts mean overload, throttling and other transient failures mean
    ///     nothing, and any other response is a success. Defaults to the classifier of the call.
    public init(
        _ settings: AdaptiveConcurrencyLimit = AdaptiveConcurrencyLimit(),
        classifier: OutcomeClassifier<Input> = .inherited
    ) {
        problem = settings.problem
        let settings = problem == nil ? settings : AdaptiveConcurrencyLimit()
        self.settings = settings
        self.classifier = classifier
        limiters = PerAuthority(limit: settings.authorityLimit) { key in
            AdaptiveLimiter(InterceptorKitCore.authority(ofLimitKey: key), settings: settings)
        }
    }

    /// Returns the current limit of an authority.
    /// - Parameter authority: The authority, as in `https://api.example.com`; `nil` for inputs without one.
    public func limit(_ authority: String? = nil) -> Double {
        limiters.known(authority)?.limit ?? Double(settings.initial)
    }

    /// Returns the number of permits in use for an authority: that of attempts in flight, unless some take several
    /// (``Call/permits``).
    /// - Parameter authority: The authority, as in `https://api.example.com`; `nil` for inputs without one.
    public func inFlight(_ authority: String? = nil) -> Int {
        limiters.known(authority)?.inFlight ?? 0
    }

    /// Returns the number of attempts to an authority that wait.
    /// - Parameter authority: The authority, as in `https://api.example.com`; `nil` for inputs without one.
    public func waiting(_ authority: String? = nil) -> Int {
        limiters.known(authority)?.waiting ?? 0
    }

    public var placement: Placement? { .rateLimit }

    public func validate() throws { if let problem { throw problem } }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        if let problem { throw problem }
        let call = chain.call
        let limiter = limiters[chain.limitKey]
        let permission: AdaptiveLimiter.Permission
        if let atOnce = limiter.enterAtOnce(call.permits, at: call.runtime.now) {
            permission = atOnce
        } else {
            permission = try await limiter.enter(call)
        }
        let output: Input.Output
        do {
            output = try await chain.proceed()
        } catch {
            let classification = await classifier.classify(error, of: chain)
            limiter.leave(permission, classification?.limitOutcome(ofError: true) ?? .unknown, call)
            throw error
        }
        if classifier.recognises(output, of: chain.call) {
            limiter.leave(permission, .success, call)
        } else {
            let classification = await classifier.classify(output, of: chain)
            limiter.leave(permission, classification.limitOutcome(ofError: false), call)
        }
        return consume output
    }
}

extension Classification {
    /// The meaning of an attempt's classification for the limit.
    fileprivate func limitOutcome(ofError isError: Bool) -> LimitEstimate.Outcome {
        switch kind {
        case .transient: isTimeout ? .timeout : .failure
        // A quota may concern one caller among many.
        case .throttled: .failure
        // The server responded in time, whatever the status.
        default: isError && kind != .success ? .unknown : .success
        }
    }
}
