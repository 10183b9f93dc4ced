extension InterceptorChain {
    /// Creates a chain to build and run in one expression.
    ///
    /// ```swift
    /// let output = try await InterceptorChain(input: 20, transport: transport)
    ///     .add(interceptor: Doubling())
    ///     .proceed()
    /// ```
    ///
    /// The order is not checked, and the stages are laid out each time; use a ``Pipeline`` to run a chain repeatedly.
    /// - Parameters:
    ///   - input: The input to send.
    ///   - call: The call that the input belongs to. Defaults to a new call on the live runtime.
    ///   - transport: The transport at the end of the chain.
    public init(input: Input, call: Call = Call(), transport: some Transport<Input>) {
        // Safety: the frame owns the stages that `first` points into.
        let stages = Stages([], end: TransportStage(transport: transport))
        unsafe self.init(
            frame: Frame(input, call: call, owner: stages),
            next: stages.first
        )
    }

    /// Returns this chain with one more interceptor, just above the transport. This chain stays unchanged.
    ///
    /// Within `intercept`, it adds to the stages still to come, at the cost of a copy of the remaining list.
    public func add(interceptor: some Interceptor<Input>) -> InterceptorChain {
        var remaining: [any Interceptor<Input>] = []
        // Safety: `frame` keeps the stages alive, and the loop ends at the transport's stage, which is always the last.
        var cursor = unsafe next
        while unsafe !cursor.pointee.isTransport {
            unsafe remaining.append(cursor.pointee.interceptor)
            unsafe cursor += 1
        }
        let end = unsafe cursor.pointee.interceptor
        let added = Layout([interceptor]).stages
        // If the other stages report, this stage reports too.
        let isObserved = call.isObserved && end is ObservedStage<Input>
        remaining += isObserved ? added.map { ObservedStage.reporting($0) } : added
        let stages = Stages(remaining, end: end)
        return unsafe InterceptorChain(
            frame: Frame(frame.input, call: call, owner: stages),
            next: stages.first
        )
    }
}
