/// What a ``Placement`` was made with, and what follows from it.
final class PlacementDefinition: Sendable {
    let name: String
    let outer: [Placement]
    let inner: [Placement]
    let repeats: Bool
    let freezesInput: Bool
    let consequences: PlacementConsequences
    /// The stages outside it, by its own bounds and theirs.
    let above: Set<Placement>
    /// The stages inside it, by its own bounds and theirs.
    let below: Set<Placement>
    /// Why its bounds cannot be kept; `nil` if they can.
    let contradiction: String?

    init(name: String, outer: [Placement], inner: [Placement], repeats: Bool, freezesInput: Bool) {
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

    init(_ definition: PlacementDefinition, _ consequences: PlacementConsequences) {
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

    func isSame(as other: PlacementDefinition) -> Bool {
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

/// What goes wrong when a stage stands in the wrong place.
struct PlacementConsequences: Sendable {
    var outside: [Placement: String] = [:]
    var inside: [Placement: String] = [:]
    var otherwise: String?
}

extension Placement {
    /// Whether this stage belongs inside another, by the bounds of the two or of a stage between them that
    /// both know.
    func mustBeInside(_ other: Placement) -> Bool {
        let above = definition.above
        let below = other.definition.below
        return above.contains(other) || below.contains(self) || !above.isDisjoint(with: below)
    }

    /// What goes wrong when this stage stands outside another that belongs above it.
    func consequence(outside other: Placement) -> String {
        definition.consequences.outside[other]
            ?? other.definition.consequences.inside[self]
            ?? definition.consequences.otherwise
            ?? "the standard order has \(other) outside \(self)"
    }
}
