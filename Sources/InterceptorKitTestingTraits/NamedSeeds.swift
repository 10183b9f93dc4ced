import InterceptorKitTesting
public import Testing

extension Trait where Self == IssueHandlingTrait {
    /// Adds the seed or schedule to every expectation that fails inside a simulation, and lets
    /// `simulate` stop at the first seed with such a failure.
    ///
    /// ```swift
    /// @Test("a shared refresh happens once", .namedSeeds) func refresh() throws {
    ///     try simulate(seeds: 0..<1_000) { simulation in
    ///         …
    ///         #expect(refreshes == 1)     // … with seed 17: INTERCEPTORKIT_SEED=17 replays it
    ///     }
    /// }
    /// ```
    ///
    /// Without it a failed `#expect` says its line but not its seed, and the other seeds run too. Of
    /// a suite's it applies to all tests. Expectations in detached tasks belong to no test in Swift
    /// Testing, and so to no trait.
    public static var namedSeeds: Self {
        .compactMapIssues { issue in
            guard let simulation = Simulation.current else { return issue }
            var issue = issue
            let place = issue.sourceLocation.map { "\($0.fileID):\($0.line)" } ?? "an unknown line"
            issue.comments.append(Comment(rawValue: simulation.noteFailure(at: place)))
            return issue
        }
    }
}
