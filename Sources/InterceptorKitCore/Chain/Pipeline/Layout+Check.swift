extension Layout {
    private typealias Placed = (interceptor: any Interceptor<Input>, placement: Placement)

    /// Throws if the order is wrong or an interceptor's own settings cannot work.
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
