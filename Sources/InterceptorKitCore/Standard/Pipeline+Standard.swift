extension Pipeline {
    /// Builds the standard chain: the resilience interceptors in a working order.
    ///
    /// Outermost first: fallback, total time limit, concurrency limit, coalescing, retry or hedge, circuit breaker,
    /// rate limit, adaptive limit, attempt time limit. By default only the time limits and the retry are on, because
    /// they never refuse or delay a call on account of other calls. The settings add or remove strategies.
    /// - Parameters:
    ///   - settings: The strategies and their numbers. Defaults to the default settings.
    ///   - transport: The transport at the end of the chain.
    ///   - runtime: The clock and random source of the pipeline's calls. Defaults to the live runtime.
    ///   - events: The sink for the events of the calls. Defaults to none, which costs nothing.
    ///   - interceptors: Your interceptors, in any order. Those with a ``Interceptor/placement`` go to their place, and
    ///     the others go inside all stages except those that freeze the input.
    /// - Throws: A ``PipelineError`` that names the settings or interceptors and the rule, or the error of the closure.
    public static func standard(
        _ settings: StandardSettings<Input> = StandardSettings(),
        transport: some Transport<Input>,
        runtime: Runtime = .live,
        events: (any EventSink)? = nil,
        @InterceptorBuilder<Input> adding interceptors: () throws -> [any Interceptor<Input>] = {
            []
        }
    ) throws -> Pipeline {
        try standard(interceptors(), transport, settings, runtime, events)
    }

    package static func standard(
        _ interceptors: [any Interceptor<Input>],
        _ transport: some Transport<Input>,
        _ settings: StandardSettings<Input>,
        _ runtime: Runtime,
        _ events: (any EventSink)?
    ) throws(PipelineError) -> Pipeline {
        try settings.validate()
        return try Pipeline(
            settings.interceptors,
            transport: transport,
            runtime: runtime,
            events: events
        )
        .adding(interceptors)
    }
}

extension StandardSettings {
    /// The strategies in the standard order (<doc:OrderOfTheChain> describes the consequences of any other order).
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
            RateLimitInterceptor<Input>(policy: rateLimit)
        }
        if let adaptiveLimit {
            AdaptiveConcurrencyLimitInterceptor(adaptiveLimit, classifier: classifier)
        }
        if let attemptTimeout {
            TimeoutInterceptor<Input>(attempt: attemptTimeout)
        }
    }
}

extension RetryPolicy {
    /// Returns this policy with `other` in place of an inherited classifier.
    fileprivate func classified(by other: OutcomeClassifier<Input>) -> RetryPolicy {
        var policy = self
        policy.classifier = classifier.inheriting(other)
        return policy
    }
}

extension HedgePolicy {
    /// Returns this policy with `other` in place of an inherited classifier.
    fileprivate func classified(by other: OutcomeClassifier<Input>) -> HedgePolicy {
        var policy = self
        policy.classifier = classifier.inheriting(other)
        return policy
    }
}
