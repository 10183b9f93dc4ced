extension Layout {
    /// The chain as a value that can be printed.
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

/// The value's own name, or its type's name without generic arguments.
func displayName(of value: Any) -> String {
    if let named = value as? any CustomStringConvertible { return named.description }
    return Redaction.typeName(of: value)
}
