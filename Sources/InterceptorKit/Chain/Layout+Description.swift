extension Layout {
    /// The chain as people draw it: outermost first, containers indented, the transport last.
    func drawing(transport: String) -> String {
        var lines = ["input ↓                                   ↑ output"]
        for node in nodes { node.draw(depth: 1, into: &lines) }
        lines.append("  ═ \(transport)")
        return lines.joined(separator: "\n")
    }
}

extension Layout.Node {
    fileprivate func draw(depth: Int, into lines: inout [String]) {
        let indent = String(repeating: "  ", count: depth)
        switch self {
        case .single(let interceptor):
            let stage = interceptor.placement.map { " · \($0)" } ?? ""
            lines.append("\(indent)│ \(displayName(of: interceptor))\(stage)")
        case .group(let group, let members):
            let condition = group.condition == nil ? "" : " (conditional)"
            lines.append("\(indent)├ \(group.name ?? "group")\(condition)")
            for member in members { member.draw(depth: depth + 1, into: &lines) }
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
