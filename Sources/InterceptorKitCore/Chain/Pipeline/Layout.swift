/// A list of interceptors with its containers opened: what a pipeline checks, draws and lays flat.
struct Layout<Input: Interceptable>: Sendable {
    enum Node: Sendable {
        case single(any Interceptor<Input>)
        case group(InterceptorGroup<Input>, [Node])
    }

    // Deeper than anyone nests on purpose, shallow enough to end a container that contains itself.
    static var deepestNesting: Int { 64 }

    var nodes: [Node]
    var containers: [any Interceptor<Input>] = []
    var isTooDeep = false

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

    /// Every interceptor, outermost first, conditional ones included.
    var leaves: [any Interceptor<Input>] { nodes.flatMap(\.leaves) }

    /// The stages above the transport, conditions included.
    var stages: [any Interceptor<Input>] { nodes.flatMap(\.stages) }
}

extension Layout.Node {
    var leaves: [any Interceptor<Input>] {
        switch self {
        case .single(let interceptor): [interceptor]
        case .group(_, let members): members.flatMap(\.leaves)
        }
    }

    var stages: [any Interceptor<Input>] {
        switch self {
        case .single(let interceptor):
            return [interceptor]
        case .group(let group, let members):
            let inner = members.flatMap(\.stages)
            guard let condition = group.condition else { return inner }
            let gate = ConditionStage(condition: condition, count: inner.count)
            return [gate] + inner
        }
    }
}

/// Leaves out the stages of a conditional group when its condition does not hold.
struct ConditionStage<Input: Interceptable>: Interceptor {
    let condition: InterceptorGroup<Input>.Condition
    let count: Int

    nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        guard condition(chain.input, chain.call) else {
            return try await chain.skipping(count).proceed()
        }
        return try await chain.proceed()
    }
}
