extension StandardSettings {
    /// Throws if the settings cannot work together.
    ///
    /// The interceptors themselves validate each strategy when the pipeline is built.
    public func validate() throws(PipelineError) {
        if retry != nil && hedge != nil {
            throw refusal(
                "There are both a retry and a hedge, and their attempts would multiply. Set retry or hedge "
                    + "to nil."
            )
        }
        if let totalTimeout, let attemptTimeout, totalTimeout < attemptTimeout {
            throw refusal(
                "totalTimeout is \(totalTimeout.formattedSeconds) and attemptTimeout "
                    + "\(attemptTimeout.formattedSeconds): no attempt could use the time it is given. Let "
                    + "totalTimeout be at least attemptTimeout."
            )
        }
        try validateBreaker()
        try validateWaits()
    }

    private func validateBreaker() throws(PipelineError) {
        guard let policy = breaker?.policy, let attemptTimeout else { return }
        if policy.window / 2 < attemptTimeout {
            throw refusal(
                "The breaker's window is \(policy.window.formattedSeconds) and attemptTimeout "
                    + "\(attemptTimeout.formattedSeconds): attempts that time out would leave the window "
                    + "before enough of them are counted. Let the window be at least twice "
                    + "attemptTimeout."
            )
        }
        if let slow = policy.slowCallDuration, slow >= attemptTimeout {
            throw refusal(
                "The breaker calls attempts slow from \(slow.formattedSeconds) on, and attemptTimeout ends "
                    + "them after \(attemptTimeout.formattedSeconds): none would ever be slow. Let "
                    + "slowCallDuration be less than attemptTimeout."
            )
        }
    }

    private func validateWaits() throws(PipelineError) {
        if let delay = hedge?.delay.first, let attemptTimeout, delay >= attemptTimeout {
            throw refusal(
                "The hedge's delay is \(delay.formattedSeconds) and attemptTimeout "
                    + "\(attemptTimeout.formattedSeconds): the first attempt would always be over before "
                    + "the second is sent. Let the delay be less than attemptTimeout."
            )
        }
        if let wait = concurrencyLimit?.maxWait, let totalTimeout, wait >= totalTimeout {
            throw refusal(
                "A call may wait \(wait.formattedSeconds) for a permit, and totalTimeout is "
                    + "\(totalTimeout.formattedSeconds): one that waited so long would have no time left. "
                    + "Let maxWait be less than totalTimeout."
            )
        }
    }

    private func refusal(_ sentences: String) -> PipelineError {
        PipelineError(.invalidSetting, sentences)
    }
}

extension HedgeDelay {
    /// The delay before anything was measured.
    fileprivate var first: Duration? {
        switch rule {
        case .fixed(let delay): delay
        case .percentile(let rule): rule.fallback
        }
    }
}
