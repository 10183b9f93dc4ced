/// A list of interceptors with its containers opened, which a pipeline checks, draws and flattens.
struct Layout<Input: Interceptable>: Sendable {
    fileprivate enum Node: Sendable {
        case single(any Interceptor<Input>)
        case group(InterceptorGroup<Input>, [Node])
    }

    // Deeper than any useful nesting, and low enough to stop at a container that contains itself.
    private static var deepestNesting: Int { 64 }

    private var nodes: [Node]
    private var containers: [any Interceptor<Input>] = []
    private var isTooDeep = false

    init(_ interceptors: [any Interceptor<Input>]) {
        nodes = []
        nodes = open(interceptors, depth: 0)
    }

    private mutating func open(_ interceptors: [any Interceptor<Input>], depth: Int) -> [Node] {
        var opened: [Node] = []
        for interceptor in interceptors {
            guard let group = interceptor.group else {
                opened.append(.single(interceptor))
                continue
            }
            guard depth < Self.deepestNesting else {
                isTooDeep = true
                continue
            }
            containers.append(interceptor)
            let members = open(group.members, depth: depth + 1)
            if group.name == nil && group.condition == nil {
                opened += members
            } else {
                opened.append(.group(group, members))
            }
        }
        return opened
    }

    /// Every interceptor, outermost first, including the conditional ones.
    var leaves: [any Interceptor<Input>] { nodes.flatMap(\.leaves) }

    /// The stages above the transport, including the conditions.
    var stages: [any Interceptor<Input>] { nodes.flatMap(\.stages) }
}

extension Layout.Node {
    fileprivate var leaves: [any Interceptor<Input>] {
        switch self {
        case .single(let interceptor): [interceptor]
        case .group(_, let members): members.flatMap(\.leaves)
        }
    }

    fileprivate var stages: [any Interceptor<Input>] {
        switch self {
        case .single(let interceptor):
            return [interceptor]
        case .group(let group, let members):
            let inner = members.flatMap(\.stages)
            guard let condition = group.condition else { return inner }
            let stage = ConditionStage(condition: condition, count: inner.count)
            return [stage] + inner
        }
    }
}

/// A stage that skips the stages of a conditional group when its condition is false.
struct ConditionStage<Input: Interceptable>: Interceptor {
    let condition: InterceptorGroup<Input>.Condition
    let count: Int

    var keepsDeadline: Bool { true }

    nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        guard condition(chain.input, chain.call) else {
            return try await chain.skipping(count).proceed()
        }
        return try await chain.proceed()
    }
}

extension Layout {
    /// Returns this layout with added interceptors, each in its place.
    ///
    /// An interceptor with a placement goes last in its stage. One without a placement goes above the first stage that
    /// freezes the input, so a signature still covers its changes. Added interceptors keep their order.
    func adding(_ interceptors: [any Interceptor<Input>]) -> Layout {
        var joined = self
        let added = Layout(interceptors)
        joined.isTooDeep = isTooDeep || added.isTooDeep
        joined.containers += added.containers
        for node in added.nodes {
            let index = joined.nodes.firstIndex { existing in
                existing.leaves.contains { leaf in
                    guard let present = leaf.placement else { return false }
                    guard let own = node.leaves.lazy.compactMap(\.placement).first else {
                        return present.definition.freezesInput
                    }
                    return present.mustBeInside(own)
                }
            }
            joined.nodes.insert(node, at: index ?? joined.nodes.endIndex)
        }
        return joined
    }
}

extension Layout {
    private typealias Placed = (interceptor: any Interceptor<Input>, placement: Placement)

    /// Throws if the order is wrong or an interceptor's settings cannot work.
    func check() throws(PipelineError) {
        if isTooDeep {
            throw PipelineError(
                .nesting,
                "Containers are nested more than \(Self.deepestNesting) deep. A container probably "
                    + "returns itself as a member."
            )
        }
        let leaves = leaves
        for interceptor in containers + leaves {
            do {
                try interceptor.validate()
                try interceptor.validate(among: leaves)
            } catch {
                throw PipelineError(
                    .invalidSetting,
                    "\(displayName(of: interceptor)) cannot work as configured: \(error)",
                    cause: error
                )
            }
        }
        try checkOrder(of: leaves.compactMap { leaf in leaf.placement.map { (leaf, $0) } })
    }

    private func checkOrder(of placed: [Placed]) throws(PipelineError) {
        for (interceptor, placement) in placed {
            guard let contradiction = placement.definition.contradiction else { continue }
            throw PipelineError(
                .contradiction,
                "\(displayName(of: interceptor)) cannot be ordered: \(contradiction). Change the "
                    + "bounds of its placement."
            )
        }
        for (index, outer) in placed.enumerated() {
            for inner in placed[(index + 1)...] {
                if let problem = problem(of: outer, around: inner) { throw problem }
            }
        }
    }

    private func problem(of outer: Placed, around inner: Placed) -> PipelineError? {
        let isMisplaced = outer.placement.mustBeInside(inner.placement)
        let multiplies =
            outer.placement.definition.repeats && inner.placement.definition.repeats
        guard isMisplaced || multiplies else { return nil }
        let outerName = displayName(of: outer.interceptor)
        let innerName = displayName(of: inner.interceptor)
        guard isMisplaced else {
            return PipelineError(
                .repeated,
                "\(outerName) and \(innerName) are in one chain: their attempts would "
                    + "multiply. Keep one, or mark the one that is meant to stand there with "
                    + "unordered(because:)."
            )
        }
        guard !inner.placement.mustBeInside(outer.placement) else {
            return PipelineError(
                .contradiction,
                "\(outerName) and \(innerName) cannot be in one chain: each of the stages "
                    + "\(outer.placement) and \(inner.placement) is to stand inside the other. Change "
                    + "the bounds of one of the two placements."
            )
        }
        let consequence = outer.placement.consequence(outside: inner.placement)
        return PipelineError(
            .order,
            "\(innerName) is inside \(outerName): \(consequence). Put \(innerName) "
                + "before \(outerName), or mark the one that is meant to stand there "
                + "with unordered(because:)."
        )
    }
}

extension Layout {
    /// Returns the composition of the chain as a value.
    func descriptor(transport: String) -> PipelineDescriptor {
        PipelineDescriptor(nodes.map { $0.descriptor }, transport: transport)
    }
}

extension Layout.Node {
    fileprivate var descriptor: PipelineDescriptor.Element {
        switch self {
        case .single(let interceptor):
            .interceptor(displayName(of: interceptor), interceptor.placement)
        case .group(let group, let members):
            .group(group.name, isConditional: group.condition != nil, members.map { $0.descriptor })
        }
    }
}

/// Returns the value's description, or its type's name without generic arguments.
func displayName(of value: Any) -> String {
    if let named = value as? any CustomStringConvertible { return named.description }
    return Redaction.typeName(of: value)
}
