import InterceptorKit

extension TransportConformance {
    /// One run of requirements against one kind of transport.
    struct Suite: Sendable {
        let exclusions: [Exclusion]
        let timeLimit: Duration
        let runtime: Runtime
        let inAnotherProcess: (@Sendable (String) async -> TestResult)?
        let make: @Sendable () throws -> any Transport<HTTP.Request>

        /// Tries up to `concurrency` requirements at once, and returns the results in order.
        func results(of requirements: [Requirement], concurrency: Int) async -> [Report.Result] {
            await withTaskGroup(of: (Int, Report.Result).self) { group in
                var results = [Report.Result?](repeating: nil, count: requirements.count)
                for (index, requirement) in requirements.enumerated() {
                    if index >= concurrency, let (done, result) = await group.next() {
                        results[done] = result
                    }
                    group.addTask { (index, await self.result(of: requirement)) }
                }
                for await (done, result) in group { results[done] = result }
                return results.compactMap(\.self)
            }
        }

        /// Returns a failure for each exclusion that matches no requirement.
        func idleExclusions(of requirements: [Requirement]) -> [Report.Result] {
            let names = Set(requirements.map(\.name))
            return exclusions.filter { !names.contains($0.requirement) }.map { exclusion in
                Report.Result(
                    requirement: exclusion.requirement,
                    outcome: .tried(
                        .failed("An exclusion names it, and there is no such requirement.")
                    )
                )
            }
        }

        private func result(of requirement: Requirement) async -> Report.Result {
            Report.Result(requirement: requirement.name, outcome: await outcome(of: requirement))
        }

        private func outcome(of requirement: Requirement) async -> Report.Result.Outcome {
            guard let exclusion = exclusions.first(where: { $0.requirement == requirement.name })
            else {
                return .tried(await requirement.result(within: timeLimit, on: runtime, make))
            }
            guard exclusion.kind == .endsProcess else {
                return .excluded(
                    exclusion,
                    await requirement.result(within: timeLimit, on: runtime, make)
                )
            }
            return .excluded(exclusion, await inAnotherProcess?(requirement.name))
        }
    }
}
