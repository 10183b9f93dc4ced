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
            [ObservedCall()] + interceptors.map { ObservedStage($0) },
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
    private let base: any Interceptor<Input>
    private let name: String
    private let isTransport: Bool

    init(_ base: any Interceptor<Input>) {
        self.base = base
        let transport = (base as? TransportStage<Input>)?.transport
        isTransport = transport != nil
        name = transport.map { displayName(of: $0) } ?? displayName(of: base)
    }

    nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        // A condition is not a stop on the way; only what it lets through is shown.
        if base is ConditionStage<Input> { return try await base.intercept(chain: chain) }
        guard isAttempt(chain.call) else { return try await pass(chain) }
        return try await ObservedActivity(.attempt, "attempt \(chain.call.attempt)").pass(chain) {
            try await pass($0)
        }
    }

    // An interceptor of the user's own that repeats shows by the attempt's number.
    private func isAttempt(_ call: Call) -> Bool {
        guard let outer = call.activityContext else { return false }
        return outer.makesAttempts || outer.attempt != call.attempt
    }

    private nonisolated(nonsending) func pass(
        _ chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        if isTransport { return try await send(chain) }
        let passage = ObservedActivity<Input>(
            .interceptor,
            name,
            makesAttempts: base.placement?.definition.repeats == true
        )
        return try await passage.pass(chain) { try await base.intercept(chain: $0) }
    }

    private nonisolated(nonsending) func send(
        _ chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        let passage = ObservedActivity<Input>(.transport, name)
        return try await passage.pass(chain, closely: true) { chain in
            var call = chain.call
            (chain.input as? any ObservedInput)?.observe(on: &call)
            let output = try await base.intercept(chain: chain.with(call: call))
            guard let observed = output as? any ObservedOutput else { return output }
            return observed.observed(on: call) as? Input.Output ?? output
        }
    }
}

/// The outermost stage of a call that somebody listens to.
struct ObservedCall<Input: Interceptable>: Interceptor {
    nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        try await ObservedActivity(.call, "call").pass(chain) { try await $0.proceed() }
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
