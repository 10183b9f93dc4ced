/// A named stage of the standard order, to which an interceptor belongs.
///
/// The order is that of a call on its way down: interceptors that must see everything stand outside, those
/// that send again above those that must run again, and signing stands last. Building a ``Pipeline`` compares
/// the placements of its interceptors and refuses a wrong order.
///
/// A stage names the stages outside it, and those inside it:
///
/// ```swift
/// extension Placement {
///     static let audit = Placement("audit", inside: [.retry], outside: [.signing])
///         .consequence(outside: [.retry], "all attempts would be one entry in the audit")
/// }
/// ```
///
/// Bounds are transitive: inside a retry also means inside a total timeout. One of the two stages states a
/// bound. Stages without a bound may stand in either order.
public struct Placement: Sendable {
    let definition: PlacementDefinition

    /// Creates a stage.
    /// - Parameters:
    ///   - name: The name shown in descriptions and errors.
    ///   - outer: The stages outside it. Defaults to none.
    ///   - inner: The stages inside it. Defaults to none. Building a pipeline refuses contradictory bounds
    ///     (``PipelineError/Code/contradiction``).
    ///   - repeats: Whether it sends more than once. A chain with two such stages is refused, because their
    ///     attempts would multiply. Defaults to `false`.
    ///   - freezesInput: Whether the input must be complete at this stage: interceptors that are added to a
    ///     pipeline without a placement go above it. Defaults to whether a stage outside of it does.
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

    /// Returns this stage with a description of what goes wrong when it stands outside stages that belong
    /// above it.
    /// - Parameters:
    ///   - stages: The stages that belong above it.
    ///   - consequence: A clause for the error's sentence, without a capital letter and a full stop.
    public func consequence(outside stages: [Placement], _ consequence: String) -> Placement {
        var consequences = definition.consequences
        for stage in stages { consequences.outside[stage] = consequence }
        return Placement(definition, consequences)
    }

    /// Returns this stage with a description of what goes wrong when it stands inside stages that belong
    /// below it.
    /// - Parameters:
    ///   - stages: The stages that belong below it.
    ///   - consequence: A clause for the error's sentence, without a capital letter and a full stop.
    public func consequence(inside stages: [Placement], _ consequence: String) -> Placement {
        var consequences = definition.consequences
        for stage in stages { consequences.inside[stage] = consequence }
        return Placement(definition, consequences)
    }

    /// Returns this stage with a description of what goes wrong when it stands outside any other stage that
    /// belongs above it.
    /// - Parameter consequence: A clause for the error's sentence, without a capital letter and a full
    ///   stop.
    public func consequence(_ consequence: String) -> Placement {
        var consequences = definition.consequences
        consequences.otherwise = consequence
        return Placement(definition, consequences)
    }
}

extension Placement: Hashable {
    /// Whether two stages have the same name, bounds and properties; consequences do not count.
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
