/// One hedged call: several attempts at the same time, until one decides.
struct HedgeRace<Input: Interceptable> {
    private struct Ended: Sendable {
        var number: Int
        var result: Result<Input.Output, any Error>
        var duration: Duration
    }

    private enum Step: Sendable {
        case ended(Ended)
        case due(wait: Int)
    }

    private typealias Attempts = TaskGroup<Step>

    private let chain: InterceptorChain<Input>
    private let rules: HedgeRules<Input>
    private let limit: Int
    private let authority: String?
    private let delay: Duration?

    private var sent = 0
    private var running = 0
    private var waits = 0
    private var first: Ended?
    private var lastFailure: Classification?
    private var history: [Attempt] = []

    private var runtime: Runtime { chain.call.runtime }

    /// Creates a race; `nil` if the input may not be sent several times at once.
    init?(_ chain: InterceptorChain<Input>, _ rules: HedgeRules<Input>) {
        limit = rules.limit(for: chain.input, chain.call)
        guard limit > 1 else { return nil }
        self.chain = chain
        self.rules = rules
        let now = chain.call.runtime.now
        authority = Input.authority(of: chain.input)
        delay = rules.delay(to: authority, at: now)
        rules.policy.recordFirstAttempt(to: authority, at: now)
    }

    consuming nonisolated(nonsending) func run() async throws -> Input.Output {
        var race = self
        let decided = await withTaskGroup(of: Step.self) { group in
            race.send(in: &group)
            let decided = await race.decide(in: &group)
            group.cancelAll()
            for await case .ended(let late) in group { await race.release(late) }
            return decided
        }
        return try await race.outcome(decided)
    }

    /// Waits until an attempt decides, or until all possible attempts have failed.
    private mutating nonisolated(nonsending) func decide(in group: inout Attempts) async -> Ended? {
        while let step = await group.next() {
            switch step {
            case .due(let wait):
                if wait == waits { sendAnother(in: &group, after: nil) }
            case .ended(let ended):
                running -= 1
                let classification = await classification(of: ended)
                if isDecisive(classification) || Task.isCancelled { return ended }
                await setAside(ended)
                lastFailure = classification
                if classification.kind == .transient {
                    sendAnother(in: &group, after: classification)
                } else {
                    // The server asked for fewer calls. The pending wait is no longer the latest, so it sends nothing.
                    waits += 1
                }
                if running == 0 { return nil }
            }
        }
        return nil
    }

    private mutating func send(in group: inout Attempts) {
        sent += 1
        running += 1
        waits += 1
        let number = sent
        let attempt = chain.with(call: chain.call.withAttempt(number))
        let action = number > 1 ? rules.policy.action : nil
        group.addTask { await Self.attempt(number, attempt, action) }
        guard sent < limit, let delay else { return }
        let (runtime, wait) = (runtime, waits)
        group.addTask {
            try? await runtime.sleep(for: delay)
            return .due(wait: wait)
        }
    }

    private mutating func sendAnother(in group: inout Attempts, after failure: Classification?) {
        guard sent < limit, !Task.isCancelled else { return }
        let call = chain.call
        guard rules.policy.allowsHedge(to: authority, at: runtime.now, after: failure) else {
            call.emit(.hedgeWithheld, ["reason": .text("budget")])
            return
        }
        send(in: &group)
        let reason = Event.Value.text(failure?.reason ?? "slow")
        call.emit(
            .hedgeSent,
            ["number": .number(sent), "reason": reason]
        )
    }

    private static func attempt(
        _ number: Int,
        _ chain: InterceptorChain<Input>,
        _ action: HedgePolicy<Input>.Action?
    ) async -> Step {
        let runtime = chain.call.runtime
        let began = runtime.now
        let result: Result<Input.Output, any Error>
        do {
            let output =
                if let action { try await action(chain) } else { try await chain.proceed() }
            result = .success(output)
        } catch {
            result = .failure(error)
        }
        let duration = began.duration(to: runtime.now)
        return .ended(Ended(number: number, result: result, duration: duration))
    }
}

extension HedgeRace {
    // Decisive if another attempt would not help. A local rejection says nothing about attempts still running.
    private func isDecisive(_ classification: Classification) -> Bool {
        let isKnownUnsent = classification.kind == .rejected || classification.isUnsent
        return !classification.isRetryable && !(isKnownUnsent && running > 0)
    }

    private mutating nonisolated(nonsending) func classification(
        of ended: Ended
    ) async -> Classification {
        let call = chain.call.withAttempt(ended.number)
        let outcome = Outcome(
            input: chain.input,
            result: ended.result,
            call: call,
            elapsed: ended.duration
        )
        let classification = await rules.policy.classifier.classify(outcome)
        rules.policy.note(classification, to: authority, after: lastFailure)
        record(ended, isSuccess: classification.kind == .success)
        note(ended, classification.reason)
        return classification
    }

    // A quick failure, or a hedge that was overtaken at once, says nothing about how long responses take; nor does a
    // hedge that may have asked elsewhere.
    private func record(_ ended: Ended, isSuccess: Bool) {
        guard isSuccess || ended.duration >= delay ?? .zero else { return }
        guard ended.number == 1 || rules.policy.action == nil else { return }
        rules.record(ended.duration, to: authority, at: runtime.now)
    }

    private mutating func note(_ ended: Ended, _ reason: String) {
        history.append(
            Attempt(number: ended.number, reason: reason, duration: ended.duration, delay: nil)
        )
    }

    // The first attempt's outcome is kept, because the call returns it if all attempts fail.
    private mutating nonisolated(nonsending) func setAside(_ ended: Ended) async {
        if ended.number == 1 {
            first = ended
        } else {
            await ended.result.discard(on: runtime)
        }
    }

    /// Releases an attempt that was cancelled because another had decided.
    private mutating nonisolated(nonsending) func release(_ late: Ended) async {
        record(late, isSuccess: false)
        note(late, "superseded")
        await late.result.discard(on: runtime)
    }

    private nonisolated(nonsending) func outcome(_ decided: Ended?) async throws -> Input.Output {
        let history = history.sorted { $0.number < $1.number }
        if let decided, let first, first.number != decided.number {
            await first.result.discard(on: runtime)
        }
        guard let ended = decided ?? first else { throw CancellationError() }
        if sent > 1 {
            chain.call.emit(
                .hedgeDecided,
                ["number": .number(ended.number)]
            )
        }
        let result = Task.isCancelled ? try ended.result.unlessFailed() : ended.result
        return try result.recording(history)
    }
}

extension Event.Name {
    /// A hedge was sent: `number`, and `reason`, which is `slow` or the failure of another attempt.
    public static let hedgeSent: Self = "hedge.sent"
    /// A hedge was due but was not sent, for a `reason`.
    public static let hedgeWithheld: Self = "hedge.withheld"
    /// The attempt with this `number` decided the outcome of a call with several attempts.
    public static let hedgeDecided: Self = "hedge.decided"
}
