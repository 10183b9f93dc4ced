/// What a pipeline has for calls that somebody listens to: its stages, reporting, and the sink.
///
/// One reference, so that a call that nobody listens to asks the sink without copying it.
@usableFromInline
final class ObservedStages<Input: Interceptable>: Sendable {
    @usableFromInline let stages: Stages<Input>
    let events: any EventSink

    init(
        _ interceptors: [any Interceptor<Input>],
        end: any Interceptor<Input>,
        events: any EventSink
    ) {
        stages = Stages(
            [ObservedStage()] + interceptors.map { ObservedStage.reporting($0) },
            end: ObservedStage(end)
        )
        self.events = events
    }

    /// The sink, if it is listening now.
    var listener: (any EventSink)? { events.isListening ? events : nil }
}

/// Reports each passage of a stage, and each attempt that it is.
///
/// Calls that somebody listens to pass stages wrapped in it; the others pay nothing.
struct ObservedStage<Input: Interceptable>: Interceptor {
    let activity: ActivityDescriptor
    // Asked of the types once, because asking each value takes longer than all else.
    private let saysInput = Input.self is any Summarizable.Type
    private let saysOutput = Input.Output.self is any Summarizable.Type
    private let observesInput = Input.self is any ObservedInput.Type
    private let observesOutput = Input.Output.self is any ObservedOutput.Type
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

    nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        if isAttempt(chain) { return try await attempt(chain) }
        return try await pass(chain)
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

    private nonisolated(nonsending) func attempt(
        _ chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        let outer = callAround(chain)
        let name = "attempt \(outer.attempt)"
        let (activity, call) = outer.begin(.attempt, name, from: name)
        do {
            let output = try await pass(chain.with(call: call))
            outer.record(.ended(.completed), of: activity, from: nil, facts(of: output, outer))
            return output
        } catch {
            outer.end(activity, Event.Ending(of: error), from: name, outer.attributes(of: error))
            throw error
        }
    }

    private nonisolated(nonsending) func pass(
        _ chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        let frame = frame(for: chain)
        let call = frame.call
        let passage = unsafe frame.activity(at: frame.place(above: chain.next), activity)
        call.record(.began, of: passage, from: nil, facts(of: frame.input, call))
        do {
            let inner = unsafe InterceptorChain(frame: frame, next: chain.next)
            let output: Input.Output
            if transport != nil {
                output = try await send(inner)
            } else if let base {
                output = try await base.intercept(chain: inner)
            } else {
                output = try await inner.proceed()
            }
            call.record(.ended(.completed), of: passage, from: nil, facts(of: output, call))
            return output
        } catch {
            let ending = Event.Ending(of: error)
            call.record(.ended(ending), of: passage, from: nil, call.attributes(of: error))
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

    private func facts(of output: Input.Output, _ call: Call) -> Event.Attributes {
        guard saysOutput, let output = output as? any Summarizable else {
            return Event.Attributes()
        }
        var attributes = transport == nil ? Event.Attributes() : output.attributes(on: call)
        attributes["output"] = output.summary(on: call)
        return attributes
    }
}

/// An input that reports how much of it a transport has sent.
protocol ObservedInput: Sendable {
    func observe(on call: inout Call)
}

/// An output that goes on arriving after the transport was left, and reports how.
protocol ObservedOutput: Sendable {
    func observed(on call: Call) -> Self
}
