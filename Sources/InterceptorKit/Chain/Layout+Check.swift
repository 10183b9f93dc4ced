extension Layout {
    /// Throws if the order would misbehave or an interceptor's own settings cannot work.
    func check() throws(PipelineError) {
        if isTooDeep {
            throw PipelineError(
                .nesting,
                "Containers are nested more than \(Self.deepestNesting) deep. A container probably "
                    + "hands out itself as a member."
            )
        }
        let leaves = leaves
        for interceptor in containers + leaves {
            do {
                try interceptor.validate()
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

    private func checkOrder(
        of placed: [(interceptor: any Interceptor<Input>, placement: Placement)]
    ) throws(PipelineError) {
        for (index, outer) in placed.enumerated() {
            for inner in placed[(index + 1)...] {
                let names = (
                    outer: displayName(of: outer.interceptor),
                    inner: displayName(of: inner.interceptor)
                )
                if outer.placement.mustBeInside(inner.placement) {
                    let consequence = outer.placement.consequence(outside: inner.placement)
                    throw PipelineError(
                        .order,
                        "\(names.inner) is inside \(names.outer): \(consequence). Put \(names.inner) "
                            + "before \(names.outer), or mark the one that is meant to stand there "
                            + "with unordered(because:)."
                    )
                }
                if outer.placement.repeats && inner.placement.repeats {
                    throw PipelineError(
                        .repeated,
                        "\(names.outer) and \(names.inner) are in one chain: their attempts would "
                            + "multiply. Keep one, or mark the one that is meant to stand there with "
                            + "unordered(because:)."
                    )
                }
            }
        }
    }
}
