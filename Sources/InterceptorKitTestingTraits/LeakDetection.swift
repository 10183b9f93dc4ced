import InterceptorKitTesting
public import Testing

/// Fails a test that ends with something left in a gate, a virtual clock or a server it made.
public struct LeakDetectionTrait: TestTrait, SuiteTrait, TestScoping {
    /// Applies to every test of a suite.
    public var isRecursive: Bool { true }

    /// Runs a test and looks at what it left.
    @concurrent
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        let ledger = LeakLedger()
        try await LeakLedger.$current.withValue(ledger, operation: function)
        let leaks = ledger.leaks
        guard !leaks.isEmpty else { return }
        Issue.record(LeakError(leaks: leaks), sourceLocation: test.sourceLocation)
    }
}

extension Trait where Self == LeakDetectionTrait {
    /// Fails the test if, when it has ended, somebody is held at a gate it made, sleeps on a virtual
    /// clock it made, or is connected to a loopback server it made and did not stop.
    ///
    /// ```swift
    /// @Suite(.detectsLeaks) struct OrderTests {
    ///     @Test("a held call is answered when the gate opens") func held() async throws {
    ///         let gate = Gate("orders")
    ///         let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200).held(at: gate)])
    ///
    ///         async let response = transport.send(.get("https://api.example.com/orders"), call: Call())
    ///         try await gate.waitForArrivals(1)
    ///         gate.open()
    ///
    ///         let status = try await response.status
    ///         #expect(status == 200)
    ///     }
    /// }
    /// ```
    ///
    /// Simulations check themselves, tasks included. What a detached task makes is not seen.
    public static var detectsLeaks: Self { Self() }
}
