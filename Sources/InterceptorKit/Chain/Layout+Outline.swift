extension Layout {
    /// The chain as a value that prints itself.
    func outline(transport: String) -> PipelineOutline {
        PipelineOutline(nodes.map { $0.outline }, transport: transport)
    }
}

extension Layout.Node {
    fileprivate var outline: PipelineOutline.Element {
        switch self {
        case .single(let interceptor):
            .interceptor(displayName(of: interceptor), interceptor.placement)
        case .group(let group, let members):
            .group(group.name, isConditional: group.condition != nil, members.map { $0.outline })
        }
    }
}

/// What a value calls itself, or its type's name without generic arguments.
func displayName(of value: Any) -> String {
    if let named = value as? any CustomStringConvertible { return named.description }
    return typeName(of: value)
}

func typeName(of value: Any) -> String {
    let full = String(describing: type(of: value))
    return String(full.prefix { $0 != "<" })
}
