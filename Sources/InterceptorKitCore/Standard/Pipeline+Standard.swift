extension Pipeline {
    /// Builds the standard chain: what resilience takes, in the order that works.
    ///
    /// Outermost first: fallback, total time limit, concurrency limit, coalescing, retry or hedge, circuit
    /// breaker, rate limit, adaptive throttle, time limit of attempts; each unless it is left out.
    /// - Parameters:
    ///   - transport: Where the chain ends.
    ///   - settings: Which strategies, and their numbers. Defaults to the defaults.
    ///   - runtime: The clock and random source of its calls. Defaults to the live runtime.
    ///   - events: Receives what happens to its calls. Defaults to nothing, which costs nothing.
    ///   - interceptors: Yours, in any order: each with a ``Interceptor/placement`` goes where that is, and
    ///     those without go inside all but what seals a request.
    /// - Throws: A ``PipelineError`` that names the settings or interceptors and the rule.
    public static func standard(
        transport: some Transport<Input>,
        _ settings: StandardSettings<Input> = StandardSettings(),
        runtime: Runtime = .live,
        events: (any EventSink)? = nil,
        @InterceptorBuilder<Input> adding interceptors: () -> [any Interceptor<Input>] = { [] }
    ) throws(PipelineError) -> Pipeline {
        try settings.validate()
        return try Pipeline(
            settings.interceptors,
            transport: transport,
            runtime: runtime,
            events: events
        )
        .adding(interceptors())
    }
}

extension StandardSettings {
    /// The strategies in the standard order (the consequences of another are in <doc:OrderOfTheChain>).
    @InterceptorBuilder<Input> var interceptors: [any Interceptor<Input>] {
        if let fallback {
            FallbackInterceptor(classifier: classifier, answer: fallback)
        }
        if let totalTimeout {
            TimeoutInterceptor<Input>(total: totalTimeout)
        }
        if let concurrencyLimit {
            ConcurrencyLimitInterceptor<Input>(policy: concurrencyLimit)
        }
        if let coalescing {
            coalescing
        }
        if let retry {
            RetryInterceptor(policy: retry.classified(by: classifier))
        }
        if let hedge {
            HedgeInterceptor(policy: hedge.classified(by: classifier))
        }
        if let breaker {
            CircuitBreakerInterceptor(breaker, classifier: health)
        }
        if let rateLimit {
            limitingRate(rateLimit)
        }
        if let throttle {
            AdaptiveThrottleInterceptor(policy: throttle, classifier: classifier)
        }
        if let attemptTimeout {
            TimeoutInterceptor<Input>(attempt: attemptTimeout)
        }
    }
}

extension RetryPolicy {
    /// This policy with another classifier in place of an inherited one.
    fileprivate func classified(by other: OutcomeClassifier<Input>) -> RetryPolicy {
        var policy = self
        policy.classifier = classifier.inheriting(other)
        return policy
    }
}

extension HedgePolicy {
    /// This policy with another classifier in place of an inherited one.
    fileprivate func classified(by other: OutcomeClassifier<Input>) -> HedgePolicy {
        var policy = self
        policy.classifier = classifier.inheriting(other)
        return policy
    }
}
