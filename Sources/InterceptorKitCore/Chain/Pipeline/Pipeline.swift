/// Interceptors and a transport, combined and checked once, for any number of calls.
///
/// ```swift
/// let pipeline = try Pipeline(transport: transport) {
///     RetryInterceptor(policy: .standard)
///     Doubling()
/// }
/// let output = try await pipeline.run(20)
/// ```
///
/// An input passes the interceptors in the order written, and its output comes back in reverse order. A pipeline
/// without interceptors only sends through its transport. Any number of calls may use a pipeline at once.
public struct Pipeline<Input: Interceptable>: Sendable {
    @usableFromInline let stages: Stages<Input>
    @usableFromInline let observed: ObservedStages<Input>?
    /// The clock and random source of the pipeline's calls.
    public let runtime: Runtime
    private let layout: Layout<Input>
    private let transport: any Transport<Input>

    /// Builds and checks a pipeline.
    /// - Parameters:
    ///   - interceptors: The interceptors, outermost first.
    ///   - transport: The transport at the end of the chain.
    ///   - runtime: The clock and random source of the pipeline's calls. Defaults to the live runtime.
    ///   - events: The sink for the events of the calls. Defaults to none, which costs nothing.
    /// - Throws: A ``PipelineError`` that names the interceptor and the rule.
    public init(
        _ interceptors: [any Interceptor<Input>],
        transport: some Transport<Input>,
        runtime: Runtime = .live,
        events: (any EventSink)? = nil
    ) throws(PipelineError) {
        try self.init(
            layout: Layout(interceptors),
            transport: transport,
            runtime: runtime,
            events: events
        )
    }

    /// Builds and checks a pipeline.
    /// - Parameters:
    ///   - transport: The transport at the end of the chain.
    ///   - runtime: The clock and random source of the pipeline's calls. Defaults to the live runtime.
    ///   - events: The sink for the events of the calls. Defaults to none, which costs nothing.
    ///   - interceptors: The interceptors, outermost first.
    /// - Throws: A ``PipelineError`` that names the interceptor and the rule, or the error of the closure.
    public init(
        transport: some Transport<Input>,
        runtime: Runtime = .live,
        events: (any EventSink)? = nil,
        @InterceptorBuilder<Input> _ interceptors: () throws -> [any Interceptor<Input>]
    ) throws {
        try self.init(interceptors(), transport: transport, runtime: runtime, events: events)
    }

    /// Creates a pipeline without interceptors. It has no order to check and so does not throw.
    /// - Parameters:
    ///   - transport: The transport that runs the calls.
    ///   - runtime: The clock and random source of the pipeline's calls. Defaults to the live runtime.
    ///   - events: The sink for the events of the calls. Defaults to none, which costs nothing.
    public init(
        transport: some Transport<Input>,
        runtime: Runtime = .live,
        events: (any EventSink)? = nil
    ) {
        self.init(checked: Layout([]), transport: transport, runtime: runtime, events: events)
    }

    /// Creates a pipeline whose every run throws an error, in place of a pipeline that could not be built.
    package init(failing error: any Error) {
        self.init(
            checked: Layout([]),
            transport: UnbuiltTransport<Input>(error: error),
            runtime: .live,
            events: nil
        )
    }

    private init(
        layout: Layout<Input>,
        transport: any Transport<Input>,
        runtime: Runtime,
        events: (any EventSink)?
    ) throws(PipelineError) {
        try layout.check()
        self.init(checked: layout, transport: transport, runtime: runtime, events: events)
    }

    private init(
        checked layout: Layout<Input>,
        transport: any Transport<Input>,
        runtime: Runtime,
        events: (any EventSink)?
    ) {
        self.layout = layout
        self.transport = transport
        self.runtime = runtime
        let end = TransportStage(transport: transport)
        stages = Stages(layout.stages, end: end)
        observed = events.map { ObservedStages(layout.stages, end: end, events: $0) }
    }

    /// Sends one input through the chain.
    /// - Parameters:
    ///   - input: The input to send.
    ///   - call: The call that the input belongs to. Defaults to a new call on the pipeline's runtime.
    @inlinable
    public nonisolated(nonsending) func run(
        _ input: consuming Input,
        call: Call? = nil
    ) async throws -> Input.Output {
        let call = call ?? makeCall()
        var stages = stages
        if call.isObserved, let observed { stages = observed.stages }
        let frame = Frame(input, call: call, owner: stages)
        // Safety: `first` points into `stages`, which the frame owns.
        return try await unsafe InterceptorChain(frame: frame, next: stages.first).proceed()
    }

    /// Whether all stages keep a call's deadline.
    package var keepsDeadline: Bool { stages.keepsDeadline }

    var events: (any EventSink)? { observed?.receiver.sink }

    /// Returns a new call on the pipeline's runtime, with the pipeline's sink if that listens now. Configure the call
    /// and pass it to ``run(_:call:)``.
    public func makeCall() -> Call {
        Call(runtime: runtime, receiver: observed?.receiver.listening, inputType: Input.self)
    }

    /// Returns a pipeline with more interceptors, each in its place.
    ///
    /// An interceptor with a ``Interceptor/placement`` goes last in its stage. One without a placement goes after the
    /// pipeline's own interceptors, but above the first stage that freezes the input, such as compression or signing,
    /// so a signature still covers its changes.
    /// - Throws: A ``PipelineError`` if the combined list cannot work.
    public func adding(
        _ interceptors: [any Interceptor<Input>]
    ) throws(PipelineError) -> Pipeline {
        try Pipeline(
            layout: layout.adding(interceptors),
            transport: transport,
            runtime: runtime,
            events: events
        )
    }

    /// Returns a pipeline with more interceptors, each in its place.
    public func adding(
        @InterceptorBuilder<Input> _ interceptors: () throws -> [any Interceptor<Input>]
    ) throws -> Pipeline {
        try adding(interceptors())
    }

    /// The interceptors in the order in which they run, outermost first, including all members of containers.
    public var interceptors: [any Interceptor<Input>] { layout.leaves }

    /// The composition of the pipeline as a value: names, placements, containers and conditions.
    public var descriptor: PipelineDescriptor {
        layout.descriptor(transport: displayName(of: transport))
    }
}

/// The transport of a pipeline that could not be built.
private struct UnbuiltTransport<Input: Interceptable>: Transport {
    let error: any Error

    func send(_ input: Input, call: Call) async throws -> Input.Output { throw error }
}

extension Pipeline: CustomStringConvertible {
    /// A drawing of the chain, with one interceptor per line.
    public var description: String { descriptor.description }
}
