/// A call whose first attempt was not an obvious success.
struct RetriedCall<Input: Interceptable> {
    private let chain: InterceptorChain<Input>
    private let rules: RetryRules<Input>
    private let authority: String?
    private let began: Runtime.Instant

    private var state: RetryState
    private var call: Call
    private var lastFailure: Classification?
    private var history: [Attempt] = []

    private var policy: RetryPolicy<Input> { rules.policy }

    init(
        _ chain: InterceptorChain<Input>,
        _ rules: RetryRules<Input>,
        to authority: String?,
        since began: Runtime.Instant
    ) {
        self.chain = chain
        self.rules = rules
        self.authority = authority
        self.began = began
        call = chain.call.withAttempt(1)
        state = RetryState(limit: rules.limit(for: call))
    }

    /// Judges the first attempt, and makes the attempts that follow from it.
    mutating nonisolated(nonsending) func continueCall(
        after first: Result<Input.Output, any Error>
    ) async throws -> Input.Output {
        state.isReplayable = Input.isReplayable(chain.input)
        var result = first
        var started = began
        while true {
            let ended = call.runtime.now
            let outcome = Outcome(
                input: chain.input,
                result: result,
                call: call,
                elapsed: began.duration(to: ended)
            )
            let classification = await policy.classifier.classify(outcome)
            recordInBudget(classification)
            let isAsked = policy.alsoRetries?(outcome) ?? false
            let decision = try await decision(for: outcome, classification, isAsked)
            let kind = FailureKind(outcome, classification)
            note(classification, kind, decision, lasting: started.duration(to: ended))
            switch decision {
            case .stop(.cancelled):
                return try result.unlessFailed().recording(history)
            case .finished, .stop:
                return try result.recording(history)
            case .fail(let error):
                await result.discard(on: call.runtime)
                let thrown = error.replacing(outcome.error)
                return try Result<Input.Output, any Error>.failure(thrown).recording(history)
            case .resend, .retry:
                await result.discard(on: call.runtime)
                try await pause(decision.delay ?? .zero)
            }
            call = chain.call.withAttempt(state.number)
            started = call.runtime.now
            result = await nextAttempt()
        }
    }

    private nonisolated(nonsending) func pause(_ delay: Duration) async throws {
        try await chain.call.activity(
            .wait,
            "the next attempt",
            ["delay": .duration(delay)]
        ) { try await $0.runtime.sleep(for: delay) }
    }

    private nonisolated(nonsending) func nextAttempt() async -> Result<Input.Output, any Error> {
        do {
            var input = chain.input
            policy.prepare?(&input, call)
            return .success(try await chain.proceed(input, call: call))
        } catch {
            return .failure(error)
        }
    }
}

extension RetriedCall {
    private nonisolated(nonsending) func decision(
        for outcome: Outcome<Input>,
        _ classification: Classification,
        _ isAsked: Bool
    ) async throws -> RetryDecision {
        var decision = policy.decision(
            for: outcome,
            classification,
            call,
            state,
            isAsked: isAsked,
            call.runtime.randomFraction
        )
        if let hook = policy.hook, classification.kind != .success {
            do {
                let result = try await hook(outcome, classification, decision.result)
                decision = decision.replaced(
                    by: result,
                    state.bound(after: FailureKind(outcome, classification), policy.maxRetries)
                )
            } catch {
                await outcome.result.discard(on: call.runtime)
                throw error.replacing(outcome.error)
            }
        }
        return bounded(decision, classification)
    }

    /// Applies the call's deadline and the budget to a decision. A cancelled call takes nothing from the budget.
    private func bounded(
        _ decision: RetryDecision,
        _ classification: Classification
    ) -> RetryDecision {
        guard let delay = decision.delay else { return decision }
        if Task.isCancelled { return .stop(.cancelled) }
        if let remaining = call.remaining, delay >= remaining { return .stop(.deadline) }
        guard case .retry = decision, let budget = policy.budget else { return decision }
        let isAllowed = budget.allowsResend(
            to: authority,
            at: call.runtime.now,
            after: classification
        )
        return isAllowed ? decision : .stop(.budget)
    }

    // Before the decision, because a throttling limiter decides by the failures so far.
    private func recordInBudget(_ classification: Classification) {
        if classification.kind == .success {
            policy.budget?.recordSuccess(to: authority, after: lastFailure)
        } else if classification.kind.isServerFailure {
            policy.budget?.recordFailure(to: authority, classification)
        }
    }

    private mutating func note(
        _ classification: Classification,
        _ kind: FailureKind,
        _ decision: RetryDecision,
        lasting duration: Duration
    ) {
        let attempt = Attempt(
            number: state.number,
            reason: classification.reason,
            duration: duration,
            delay: decision.delay,
            stopReason: decision.withheld
        )
        history.keep(attempt, upTo: RetryLimits.keptAttempts)
        call.report(decision, classification)
        switch decision {
        case .finished, .stop, .fail:
            break
        case .resend:
            state.hasResent = true
        case .retry(let delay, let isChosen):
            state.number += 1
            state.retries[kind] = (state.retries[kind] ?? 0) + 1
            state.waits = isChosen ? 0 : state.waits + 1
            state.lastWait = isChosen ? nil : delay
            lastFailure = classification
        }
    }
}

extension Call {
    fileprivate func report(_ decision: RetryDecision, _ classification: Classification) {
        switch decision {
        case .finished:
            break
        case .fail:
            report(.hook, classification)
        case .stop(let stop):
            report(stop, classification)
        case .resend, .retry:
            emit(
                .retryScheduled,
                [
                    "reason": .text(classification.reason),
                    "delay": .duration(decision.delay ?? .zero),
                ]
            )
        }
    }

    private func report(_ stop: RetryStopReason, _ classification: Classification) {
        emit(
            .retryStopped,
            [
                "reason": .text(stop.reason),
                "rule": .text(stop.rule),
                "outcome": .text(classification.reason),
            ]
        )
    }
}
