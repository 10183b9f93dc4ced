extension Layout {
    /// Returns this layout with interceptors for one call put where they belong.
    ///
    /// One with a placement goes last in its stage; one without goes above the first stage that seals the
    /// input, so that what it adds is still covered by a signature. Added ones keep their order.
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
