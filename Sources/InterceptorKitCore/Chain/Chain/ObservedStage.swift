/// The parts of a pipeline for observed calls: the reporting stages and the sink.
///
/// A class, so that a call without a listener checks the sink without a copy.
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

/// A stage that reports each of its passes and attempts.
///
/// Only observed calls go through it, so other calls pay nothing.
struct ObservedStage<Input: Interceptable>: Interceptor {
    let activity: ActivityDescriptor
    // Computed once from the types, because a check of each value takes longer than everything else here.
    private let summarizesInput = Input.self is any Summarizable.Type
    private let summarizesOutput = Input.Output.self is any Summarizable.Type
    private let observesInput = Input.self is any ObservedInput.Type
    private let observesOutput = Input.Output.self is any ObservedOutput.Type
    private let outputHasHistory = Input.Output.self is any AttemptHistory.Type
    // `nil` for the outermost stage, which only proceeds.
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

    var keepsDeadline: Bool { base?.keepsDeadline ?? true }

    /// Wraps a stage so that it reports. A condition is returned as it is, because only its members are shown.
    static func reporting(_ stage: any Interceptor<Input>) -> any Interceptor<Input> {
        stage is ConditionStage<Input> ? stage : ObservedStage(stage)
    }

    // Inlined into the witness, which saves one asynchronous frame for each stage.
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

    /// Begins a pass, with its start time if it is the whole call; `nil` for an attempt, which encloses its own pass.
    @inline(never)
    private func enter(
        _ chain: InterceptorChain<Input>
    ) -> (frame: ObservedFrame<Input>, pass: Event.Activity, began: Runtime.Instant?)? {
        guard !isAttempt(chain) else { return nil }
        let frame = frame(for: chain)
        let pass = unsafe frame.activity(at: frame.index(above: chain.next), activity)
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
        // An attempt ends with a summary only; the transport's pass reports all details of a send.
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

    /// Ends the call with the number of its last attempt and with everything that a log record of the call needs.
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

    // A change of the attempt's number reveals a custom interceptor that repeats without a placement.
    private func isAttempt(_ chain: InterceptorChain<Input>) -> Bool {
        if base == nil { return false }
        if let frame = chain.observed,
            let isAttempt = unsafe frame.makesAttempts(around: frame.index(above: chain.next))
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
            // Within the attempt, this stage's pass is not an attempt itself.
            let output = try await intercept(chain: chain.with(call: call))
            leave(activity, with: output, outer, chain.frame.input)
            return output
        } catch {
            leave(activity, by: error, outer, chain.frame.input)
            throw error
        }
    }

    private func frame(for chain: InterceptorChain<Input>) -> ObservedFrame<Input> {
        if let frame = chain.observed, unsafe frame.enter(frame.index(above: chain.next)) {
            return frame
        }
        // The type of the input is known where a call begins.
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
        return unsafe frame.call(before: frame.index(above: chain.next))
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
        guard summarizesInput, base == nil || transport != nil,
            let input = input as? any Summarizable
        else { return Event.Attributes() }
        var attributes = transport == nil ? Event.Attributes() : input.attributes(on: call)
        attributes["input"] = input.summary(on: call)
        return attributes
    }

    private func summary(of input: Input, _ call: Call) -> Event.Value? {
        summarizesInput ? (input as? any Summarizable)?.summary(on: call) : nil
    }

    private func facts(
        of output: Input.Output,
        _ call: Call,
        closely: Bool
    ) -> Event.Attributes {
        guard summarizesOutput, let output = output as? any Summarizable else {
            return Event.Attributes()
        }
        var attributes = closely ? output.attributes(on: call) : Event.Attributes()
        attributes["output"] = output.summary(on: call)
        return attributes
    }
}
