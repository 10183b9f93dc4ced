/// A named stage of the standard order, to which an interceptor belongs.
///
/// The order is that of a call on its way down: what must see everything stands outside, what
/// repeats stands above what must happen again each time, and what signs stands last.
/// Building a ``Pipeline`` compares the placements of its interceptors and refuses an order that
/// would misbehave.
///
/// A stage says which stages it stands inside of, and which stand inside of it:
///
/// ```swift
/// extension Placement {
///     static let audit = Placement("audit", inside: [.retry], outside: [.signing])
///         .consequence(outside: [.retry], "all attempts would be one entry in the audit")
/// }
/// ```
///
/// Bounds are transitive: inside a retry is inside a total timeout too. A bound is stated once, by one
/// of its two stages. Stages that no bound relates may stand in either order.
public struct Placement: Sendable {
    let definition: PlacementDefinition

    /// Creates a stage.
    /// - Parameters:
    ///   - name: The name shown in descriptions and errors.
    ///   - outer: The stages that it stands inside of. Defaults to none.
    ///   - inner: The stages that stand inside of it. Defaults to none. Bounds that contradict each other
    ///     are refused when a pipeline is built (``PipelineError/Code/contradiction``).
    ///   - repeats: Whether it sends more than once. Two such stages in one chain are refused, because
    ///     their attempts would multiply. Defaults to `false`.
    ///   - freezesInput: Whether an input is complete from here down: what is added to a
    ///     pipeline without a placement goes above. Defaults to whether a stage outside of it does.
    public init(
        _ name: String,
        inside outer: [Placement] = [],
        outside inner: [Placement] = [],
        repeats: Bool = false,
        freezesInput: Bool = false
    ) {
        definition = PlacementDefinition(
            name: name,
            outer: outer,
            inner: inner,
            repeats: repeats,
            freezesInput: freezesInput
        )
    }

    private init(_ definition: PlacementDefinition, _ consequences: PlacementConsequences) {
        self.definition = PlacementDefinition(definition, consequences)
    }

    /// Returns this stage with what goes wrong when it stands outside stages that belong above it.
    /// - Parameters:
    ///   - stages: The stages that belong above it.
    ///   - consequence: A clause for the error's sentence, without a capital letter and a full stop.
    public func consequence(outside stages: [Placement], _ consequence: String) -> Placement {
        var consequences = definition.consequences
        for stage in stages { consequences.outside[stage] = consequence }
        return Placement(definition, consequences)
    }

    /// Returns this stage with what goes wrong when it stands inside stages that belong below it.
    /// - Parameters:
    ///   - stages: The stages that belong below it.
    ///   - consequence: A clause for the error's sentence, without a capital letter and a full stop.
    public func consequence(inside stages: [Placement], _ consequence: String) -> Placement {
        var consequences = definition.consequences
        for stage in stages { consequences.inside[stage] = consequence }
        return Placement(definition, consequences)
    }

    /// Returns this stage with what goes wrong when it stands outside any stage that belongs above it
    /// and for which nothing else is said.
    /// - Parameter consequence: A clause for the error's sentence, without a capital letter and a full
    ///   stop.
    public func consequence(_ consequence: String) -> Placement {
        var consequences = definition.consequences
        consequences.otherwise = consequence
        return Placement(definition, consequences)
    }
}

extension Placement: Hashable {
    /// Whether two stages have the same name, the same bounds and the same properties; what they say of
    /// consequences does not count.
    public static func == (one: Placement, other: Placement) -> Bool {
        one.definition === other.definition || one.definition.isSame(as: other.definition)
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(definition.name) }
}

extension Placement: CustomStringConvertible {
    /// The stage's name.
    public var description: String { definition.name }
}
