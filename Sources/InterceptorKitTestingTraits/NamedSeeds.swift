import InterceptorKitTesting
public import Testing

extension Trait where Self == IssueHandlingTrait {
    /// Adds the seed or schedule to every expectation that fails inside a simulation, and lets `simulate` stop at the
    /// first seed with such a failure.
    ///
    /// ```swift
    /// @Test("two calls at once are one send", .namedSeeds) func coalesced() throws {
    ///     try simulate(seeds: 0..<100) { simulation in
    ///         let transport = ScriptedTransport<HTTP.Request>(replies: [
    ///             .status(200).delayed(by: .seconds(1))
    ///         ])
    ///         let client = try HTTP.Client(transport: transport, runtime: simulation.runtime) {
    ///             CoalescingInterceptor()
    ///         }
    ///
    ///         async let first = client.send(.get("https://api.example.com/orders"))
    ///         async let second = client.send(.get("https://api.example.com/orders"))
    ///         _ = try await (first, second)
    ///
    ///         #expect(transport.sent.count == 1)  // when it fails: INTERCEPTORKIT_SEED=17 replays it
    ///     }
    /// }
    /// ```
    ///
    /// Without it, a failed `#expect` shows its line but not its seed, and the other seeds run too. On a suite, it
    /// applies to all tests. Expectations in detached tasks belong to no test in Swift Testing, and so to no trait.
    public static var namedSeeds: Self {
        .compactMapIssues { issue in
            guard let simulation = Simulation.current else { return issue }
            var issue = issue
            let place = issue.sourceLocation.map { "\($0.fileID):\($0.line)" } ?? "an unknown line"
            issue.comments.append(Comment(rawValue: simulation.recordFailure(at: place)))
            return issue
        }
    }
}
