/// A group of interceptors, as a container returns it when a pipeline is built.
public struct InterceptorGroup<Input: Interceptable>: Sendable {
    /// Decides, for one pass, whether the members run.
    public typealias Condition = @Sendable (_ input: Input, _ call: Call) -> Bool

    /// The name shown in descriptions; members of a group without one are shown as if alone.
    public var name: String?

    /// The members, outermost first.
    public var members: [any Interceptor<Input>]

    /// Whether the members run for a pass; `nil` means always. Costs one stage if present.
    public var condition: Condition?

    /// Creates a group.
    /// - Parameters:
    ///   - name: The name shown in descriptions. Defaults to none.
    ///   - members: The members, outermost first.
    ///   - condition: Whether the members run for a pass. Defaults to always.
    public init(
        name: String? = nil,
        _ members: [any Interceptor<Input>],
        when condition: Condition? = nil
    ) {
        self.name = name
        self.members = members
        self.condition = condition
    }
}
