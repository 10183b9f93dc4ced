import InterceptorKit

extension TransportConformance {
    /// One run of behaviours against one kind of transport.
    struct Suite: Sendable {
        let exclusions: [Exclusion]
        let timeLimit: Duration
        let inAnotherProcess: (@Sendable (String) async -> Verdict)?
        let make: @Sendable () throws -> any Transport<HTTP.Request>

        /// Tries so many at once and keeps their order.
        func results(of behaviours: [Behaviour], concurrency: Int) async -> [Report.Result] {
            await withTaskGroup(of: (Int, Report.Result).self) { group in
                var results = [Report.Result?](repeating: nil, count: behaviours.count)
                for (index, behaviour) in behaviours.enumerated() {
                    if index >= concurrency, let (done, result) = await group.next() {
                        results[done] = result
                    }
                    group.addTask { (index, await self.result(of: behaviour)) }
                }
                for await (done, result) in group { results[done] = result }
                return results.compactMap(\.self)
            }
        }

        /// A failure for each exclusion that names none of the behaviours.
        func idleExclusions(of behaviours: [Behaviour]) -> [Report.Result] {
            let names = Set(behaviours.map(\.name))
            return exclusions.filter { !names.contains($0.behaviour) }.map { exclusion in
                Report.Result(
                    behaviour: exclusion.behaviour,
                    outcome: .tried(
                        .failed("An exclusion names it, and there is no such behaviour.")
                    )
                )
            }
        }

        private func result(of behaviour: Behaviour) async -> Report.Result {
            Report.Result(behaviour: behaviour.name, outcome: await outcome(of: behaviour))
        }

        private func outcome(of behaviour: Behaviour) async -> Report.Result.Outcome {
            guard let exclusion = exclusions.first(where: { $0.behaviour == behaviour.name }) else {
                return .tried(await behaviour.verdict(within: timeLimit, make))
            }
            guard exclusion.kind == .endsProcess else {
                return .excluded(exclusion, await behaviour.verdict(within: timeLimit, make))
            }
            return .excluded(exclusion, await inAnotherProcess?(behaviour.name))
        }
    }
}
