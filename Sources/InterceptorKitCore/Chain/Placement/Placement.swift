/// A named stage of the standard order, to which an interceptor belongs.
///
/// The order is that of a call on its way down: interceptors that must see everything are outermost, those that send
/// again are above those that must run again, and signing is last. A ``Pipeline`` compares the placements of its
/// interceptors when it is built, and refuses a wrong order.
///
/// A stage states the stages outside it and those inside it:
///
/// ```swift
/// extension Placement {
///     static let audit = Placement("audit", inside: [.retry], outside: [.signing])
///         .consequence(outside: [.retry], "all attempts would be one entry in the audit")
/// }
/// ```
///
/// Bounds are transitive: inside a retry also means inside a total timeout. It is enough that one of two stages states
/// their bound. Stages without a bound between them may stand in either order.
public struct Placement: Sendable {
    let definition: PlacementDefinition

    /// Creates a stage.
    /// - Parameters:
    ///   - name: The name shown in descriptions and errors.
    ///   - outer: The stages outside this stage. Defaults to none.
    ///   - inner: The stages inside this stage. Defaults to none. A pipeline refuses contradictory bounds when it is
    ///     built (``PipelineError/Code/contradiction``).
    ///   - repeats: Whether the stage sends more than once. A pipeline refuses two such stages, because their attempts
    ///     would multiply. Defaults to `false`.
    ///   - freezesInput: Whether the input must be complete at this stage: interceptors that are added to a pipeline
    ///     without a placement go above it. Defaults to `true` if a stage in `outer` freezes the input, else `false`.
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
    ///   - consequence: A clause for the error's sentence, without a capital letter or a full stop.
    public func consequence(outside stages: [Placement], _ consequence: String) -> Placement {
        var consequences = definition.consequences
        for stage in stages { consequences.outside[stage] = consequence }
        return Placement(definition, consequences)
    }

    /// Returns this stage with a description of what goes wrong when it stands inside stages that belong
    /// below it.
    /// - Parameters:
    ///   - stages: The stages that belong below it.
    ///   - consequence: A clause for the error's sentence, without a capital letter or a full stop.
    public func consequence(inside stages: [Placement], _ consequence: String) -> Placement {
        var consequences = definition.consequences
        for stage in stages { consequences.inside[stage] = consequence }
        return Placement(definition, consequences)
    }

    /// Returns this stage with a description of the consequence outside any other stage that belongs above it.
    /// - Parameter consequence: A clause for the error's sentence, without a capital letter or a full stop.
    public func consequence(_ consequence: String) -> Placement {
        var consequences = definition.consequences
        consequences.otherwise = consequence
        return Placement(definition, consequences)
    }
}

extension Placement: Hashable {
    /// Whether two stages have the same name, bounds and properties. Consequences are ignored.
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

/// The arguments of a ``Placement``, and the values computed from them.
final class PlacementDefinition: Sendable {
    fileprivate let name: String
    private let outer: [Placement]
    private let inner: [Placement]
    let repeats: Bool
    let freezesInput: Bool
    fileprivate let consequences: PlacementConsequences
    /// The stages outside this one, by its own bounds and by theirs.
    fileprivate let above: Set<Placement>
    /// The stages inside this one, by its own bounds and by theirs.
    fileprivate let below: Set<Placement>
    /// The reason why the bounds contradict each other; `nil` if they do not.
    let contradiction: String?

    fileprivate init(
        name: String,
        outer: [Placement],
        inner: [Placement],
        repeats: Bool,
        freezesInput: Bool
    ) {
        self.name = name
        self.outer = outer
        self.inner = inner
        self.repeats = repeats
        self.freezesInput = freezesInput || outer.contains { $0.definition.freezesInput }
        consequences = PlacementConsequences()
        above = outer.reduce(into: Set(outer)) { $0.formUnion($1.definition.above) }
        below = inner.reduce(into: Set(inner)) { $0.formUnion($1.definition.below) }
        contradiction =
            (outer + inner).lazy.compactMap(\.definition.contradiction).first
            ?? Self.contradiction(of: name, outer, inner)
    }

    fileprivate init(_ definition: PlacementDefinition, _ consequences: PlacementConsequences) {
        name = definition.name
        outer = definition.outer
        inner = definition.inner
        repeats = definition.repeats
        freezesInput = definition.freezesInput
        above = definition.above
        below = definition.below
        contradiction = definition.contradiction
        self.consequences = consequences
    }

    fileprivate func isSame(as other: PlacementDefinition) -> Bool {
        name == other.name && repeats == other.repeats && freezesInput == other.freezesInput
            && outer == other.outer && inner == other.inner
    }

    private static func contradiction(
        of name: String,
        _ outer: [Placement],
        _ inner: [Placement]
    ) -> String? {
        for outer in outer {
            for inner in inner where outer == inner || outer.mustBeInside(inner) {
                let reason = outer == inner ? "" : ", but \(outer) stands inside \(inner)"
                return "\(name) is to stand inside \(outer) and outside \(inner)\(reason)"
            }
        }
        return nil
    }
}

private struct PlacementConsequences: Sendable {
    var outside: [Placement: String] = [:]
    var inside: [Placement: String] = [:]
    var otherwise: String?
}

extension Placement {
    /// Returns whether this stage belongs inside another, by their bounds or those of a stage that both name.
    func mustBeInside(_ other: Placement) -> Bool {
        let above = definition.above
        let below = other.definition.below
        return above.contains(other) || below.contains(self) || !above.isDisjoint(with: below)
    }

    /// Returns the consequence when this stage stands outside another that belongs above it.
    func consequence(outside other: Placement) -> String {
        definition.consequences.outside[other]
            ?? other.definition.consequences.inside[self]
            ?? definition.consequences.otherwise
            ?? "the standard order has \(other) outside \(self)"
    }
}
