/// A pipeline's parts for observed calls: its stages, reporting, and the sink.
///
/// One reference, so that a call that nobody listens to asks the sink without copying it.
@usableFromInline
final class ObservedStages<Input: Interceptable>: Sendable {
    @usableFromInline let stages: Stages<Input>
    let receiver: EventReceiver

    init(
        _ interceptors: [any Interceptor<Input>],
        end: any Interceptor<Input>,
        events: any EventSink
    ) {
        stages = Stages(
            [ObservedStage()] + interceptors.map { ObservedStage.reporting($0) },
            end: ObservedStage(end)
        )
        receiver = EventReceiver(events)
    }
}

/// Reports each pass of a stage, and each attempt that it is.
///
/// Observed calls pass stages wrapped in it; the others pay nothing.
struct ObservedStage<Input: Interceptable>: Interceptor {
    let activity: ActivityDescriptor
    // Asked of the types once, because asking each value takes longer than all else.
    private let saysInput = Input.self is any Summarizable.Type
    private let saysOutput = Input.Output.self is any Summarizable.Type
    private let observesInput = Input.self is any ObservedInput.Type
    private let observesOutput = Input.Output.self is any ObservedOutput.Type
    private let outputHasHistory = Input.Output.self is any AttemptHistory.Type
    // `nil` for the call itself, which only goes on.
    private let base: (any Interceptor<Input>)?
    private let transport: (any Transport<Input>)?

    /// The outermost stage of a call.
    init() {
        activity = ActivityDescriptor(.call, "call")
        base = nil
        transport = nil
    }

    init(_ base: any Interceptor<Input>) {
        self.base = base
        transport = (base as? TransportStage<Input>)?.transport
        if let transport {
            activity = ActivityDescriptor(.transport, displayName(of: transport))
        } else {
            activity = ActivityDescriptor(
                .interceptor,
                displayName(of: base),
                makesAttempts: base.placement?.definition.repeats == true
            )
        }
    }

    /// A stage that reports, except for a condition, which is not a stop on the way; only what it lets
    /// through is shown.
    static func reporting(_ stage: any Interceptor<Input>) -> any Interceptor<Input> {
        stage is ConditionStage<Input> ? stage : ObservedStage(stage)
    }

    // Into its witness, which saves an asynchronous frame a stage.
    @inline(__always)
    nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        guard let (frame, pass, began) = enter(chain) else { return try await attempt(chain) }
        do {
            // Safety: here and below, `chain.next` points at the stage below this one.
            let inner = unsafe InterceptorChain(frame: frame, next: chain.next)
            let output: Input.Output
            if transport != nil {
                output = try await send(inner)
            } else if let base {
                output = try await base.intercept(chain: inner)
            } else {
                output = try await inner.proceed()
            }
            leave(pass, with: output, frame.call, frame.input, since: began)
            return output
        } catch {
            leave(pass, by: error, frame.call, frame.input, since: began)
            throw error
        }
    }

    /// Begins a pass, and says when if it is the call's; `nil` if it is an attempt, which is an activity around the pass.
    @inline(never)
    private func enter(
        _ chain: InterceptorChain<Input>
    ) -> (frame: ObservedFrame<Input>, pass: Event.Activity, began: Runtime.Instant?)? {
        guard !isAttempt(chain) else { return nil }
        let frame = frame(for: chain)
        let pass = unsafe frame.activity(at: frame.place(above: chain.next), activity)
        frame.call.record(.began, of: pass, facts(of: frame.input, frame.call))
        return (frame, pass, isCall(pass) ? frame.call.runtime.now : nil)
    }

    @inline(never)
    private func leave(
        _ pass: Event.Activity,
        with output: Input.Output,
        _ call: Call,
        _ input: Input,
        since began: Runtime.Instant? = nil
    ) {
        // An attempt ends with a few words; all that is known of a send is the transport's to say.
        let isSend = transport != nil && pass.descriptor === activity
        let facts = facts(of: output, call, closely: isSend)
        guard let began else {
            return call.record(.ended(.completed), of: pass, facts)
        }
        let history = outputHasHistory ? output as? any AttemptHistory : nil
        leave(pass, .completed, facts, call, input, history, since: began)
    }

    @inline(never)
    private func leave(
        _ pass: Event.Activity,
        by error: any Error,
        _ call: Call,
        _ input: Input,
        since began: Runtime.Instant? = nil
    ) {
        let ending = Event.Ending(of: error)
        var facts = call.attributes(of: error)
        guard let began else { return call.record(.ended(ending), of: pass, facts) }
        facts["output"] = (error as? any Summarizable)?.summary(on: call)
        leave(pass, ending, facts, call, input, error as? any AttemptHistory, since: began)
    }

    /// Ends the call: with its last attempt, where it began with the first, and with all that a line about it says.
    private func leave(
        _ pass: Event.Activity,
        _ ending: Event.Ending,
        _ facts: Event.Attributes,
        _ call: Call,
        _ input: Input,
        _ history: (any AttemptHistory)?,
        since began: Runtime.Instant
    ) {
        var facts = facts
        facts.duration = began.duration(to: call.runtime.now)
        facts["input"] = summary(of: input, call)
        let last = history?.attempts.last
        facts["stop_reason"] = last?.stopReason.map { .text($0) }
        call.record(.ended(ending), of: pass, facts, attempt: last?.number)
    }

    private func isCall(_ pass: Event.Activity) -> Bool {
        base == nil && pass.descriptor === activity
    }

    // An interceptor of the user's own that repeats shows by the attempt's number.
    private func isAttempt(_ chain: InterceptorChain<Input>) -> Bool {
        if base == nil { return false }
        if let frame = chain.observed,
            let isAttempt = unsafe frame.makesAttempts(around: frame.place(above: chain.next))
        {
            return isAttempt
        }
        guard let outer = chain.frame.call.activityContext else { return false }
        return outer.activity.descriptor.makesAttempts || outer.attempt != chain.frame.call.attempt
    }

    @inline(never)
    private nonisolated(nonsending) func attempt(
        _ chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        let outer = callAround(chain)
        let name = "attempt \(outer.attempt)"
        let (activity, call) = outer.begin(
            .attempt,
            name,
            from: name,
            summary(of: chain.frame.input, outer).map { ["input": $0] } ?? [:]
        )
        do {
            // Within the attempt, the stage is none itself.
            let output = try await intercept(chain: chain.with(call: call))
            leave(activity, with: output, outer, chain.frame.input)
            return output
        } catch {
            leave(activity, by: error, outer, chain.frame.input)
            throw error
        }
    }

    private func frame(for chain: InterceptorChain<Input>) -> ObservedFrame<Input> {
        if let frame = chain.observed, unsafe frame.enter(frame.place(above: chain.next)) {
            return frame
        }
        // Where a call begins is where it is known what it is a call of.
        let call = base == nil ? callAround(chain).of(Input.self) : callAround(chain)
        return unsafe ObservedFrame(
            chain.frame.input,
            call: call,
            owner: chain.frame,
            next: chain.next
        )
    }

    private func callAround(_ chain: InterceptorChain<Input>) -> Call {
        guard let frame = chain.observed else { return chain.frame.call }
        return unsafe frame.call(before: frame.place(above: chain.next))
    }

    private nonisolated(nonsending) func send(
        _ chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        guard let transport else { return try await chain.proceed() }
        try Task.checkCancellation()
        var call = chain.call
        if observesInput {
            (chain.frame.input as? any ObservedInput)?.observe(on: &call)
        }
        let output = try await transport.send(chain.frame.input, call: call)
        guard observesOutput, let observed = output as? any ObservedOutput else {
            return output
        }
        return observed.observed(on: call) as? Input.Output ?? output
    }
}

extension ObservedStage {
    private func facts(of input: Input, _ call: Call) -> Event.Attributes {
        guard saysInput, base == nil || transport != nil,
            let input = input as? any Summarizable
        else { return Event.Attributes() }
        var attributes = transport == nil ? Event.Attributes() : input.attributes(on: call)
        attributes["input"] = input.summary(on: call)
        return attributes
    }

    private func summary(of input: Input, _ call: Call) -> Event.Value? {
        saysInput ? (input as? any Summarizable)?.summary(on: call) : nil
    }

    private func facts(
        of output: Input.Output,
        _ call: Call,
        closely: Bool
    ) -> Event.Attributes {
        guard saysOutput, let output = output as? any Summarizable else {
            return Event.Attributes()
        }
        var attributes = closely ? output.attributes(on: call) : Event.Attributes()
        attributes["output"] = output.summary(on: call)
        return attributes
    }
}
