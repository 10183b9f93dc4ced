/// The members of a group, which a container returns when a pipeline is built.
public struct InterceptorGroup<Input: Interceptable>: Sendable {
    /// A closure that decides for one pass whether the members run.
    public typealias Condition = @Sendable (_ input: Input, _ call: Call) -> Bool

    /// The name shown in descriptions. Members of a group without a name are shown as if they were not in a group.
    public var name: String?

    /// The members, outermost first.
    public var members: [any Interceptor<Input>]

    /// Whether the members run for a pass; `nil` means always. A condition costs one stage.
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
