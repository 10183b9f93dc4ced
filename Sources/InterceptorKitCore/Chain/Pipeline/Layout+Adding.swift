extension Layout {
    /// Returns this layout with added interceptors, each in its place.
    ///
    /// One with a placement goes last in its stage. One without goes above the first stage that freezes the
    /// input, so a signature still covers its changes. Added ones keep their order.
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
