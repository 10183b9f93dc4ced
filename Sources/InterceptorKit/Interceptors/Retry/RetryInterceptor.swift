/// Repeats attempts that failed in a way another try may mend.
///
/// Everything below it runs anew for each attempt, so put it **outside** what must be fresh each time:
/// a credential, a signature, an attempt's time limit. Sends never exceed the policy's
/// ``RetryPolicy/maxAttempts``; a wait that would outlast the call's deadline is not begun.
///
/// When attempts are used up the last response is returned, or the last error thrown as it is, with the
/// history of the attempts, the last 32 of them, where its type is an ``AttemptHistory``. Cancellation ends a wait at once
/// and prevents any further send; a response that is already there is returned all the same.
public struct RetryInterceptor<Input: Interceptable>: Interceptor {
    private static var keptAttempts: Int { 32 }

    private let policy: RetryPolicy<Input>

    /// Creates an interceptor.
    /// - Parameter policy: When and how often to repeat; for one call, see ``Call/retryLimit``.
    public init(policy: RetryPolicy<Input>) { self.policy = policy }

    public var placement: Placement? { .retry }

    public func validate() throws { try policy.validate() }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        let policy = policy.limited(by: chain.call.retryLimit)
        let first = chain.call.runtime.now
        var history: [Attempt] = []
        var number = 0
        while true {
            number += 1
            let call = chain.call.attempt(number)
            let started = call.runtime.now
            let result = await result(of: chain, call)
            let ended = call.runtime.now
            let outcome = Outcome(
                input: chain.input,
                result: result,
                call: call,
                elapsed: first.duration(to: ended)
            )
            let classification = await policy.classifier.classify(outcome)
            let decision = policy.decision(
                for: outcome,
                classification,
                call.runtime.randomFraction
            )
            // A policy may allow any number of attempts; what is kept of them stays bounded.
            if history.count == Self.keptAttempts { history.removeFirst() }
            history.append(
                Attempt(
                    number: call.attempt,
                    reason: classification.reason,
                    duration: started.duration(to: ended),
                    delay: decision.delay
                )
            )
            call.report(decision, classification)
            guard let delay = decision.delay else { return try result.recording(history) }
            if Task.isCancelled { return try result.unlessFailed().recording(history) }
            await result.discard()
            try await call.runtime.sleep(for: delay)
        }
    }

    private nonisolated(nonsending) func result(
        of chain: InterceptorChain<Input>,
        _ call: Call
    ) async -> Result<Input.Output, any Error> {
        do {
            return .success(try await chain.proceed(chain.input, call: call))
        } catch {
            return .failure(error)
        }
    }
}

extension Call {
    fileprivate func report(_ decision: RetryDecision, _ classification: Classification) {
        let outcome = Event.Value.text(classification.reason)
        switch decision {
        case .finished:
            break
        case .stop(let reason):
            emit(
                .retryStopped,
                from: "RetryInterceptor",
                ["reason": .text(reason), "outcome": outcome]
            )
        case .retry(let delay):
            emit(
                .retryScheduled,
                from: "RetryInterceptor",
                ["reason": outcome, "delay": .duration(delay)]
            )
        }
    }
}

extension Result {
    fileprivate func recording(_ attempts: [Attempt]) throws -> Success {
        guard attempts.count > 1 else { return try get() }
        switch self {
        case .success(let output):
            guard var known = output as? any AttemptHistory else { return output }
            known.attempts = attempts
            return known as? Success ?? output
        case .failure(let error):
            guard var known = error as? any AttemptHistory & Error else { throw error }
            known.attempts = attempts
            throw known
        }
    }

    // For a cancelled caller: an output that is there is theirs, a failure no longer matters.
    fileprivate func unlessFailed() throws -> Result {
        if case .failure = self { throw CancellationError() }
        return self
    }

    fileprivate nonisolated(nonsending) func discard() async {
        guard case .success(let output) = self, let open = output as? any Discardable else {
            return
        }
        await open.discard()
    }
}
