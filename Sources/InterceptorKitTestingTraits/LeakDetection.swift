import InterceptorKitTesting
public import Testing

/// A trait that fails a test with work left in a gate, a virtual clock or a server that it made.
public struct LeakDetectionTrait: TestTrait, SuiteTrait, TestScoping {
    /// Whether the trait applies to every test of a suite: always.
    public var isRecursive: Bool { true }

    /// Runs a test and checks for leaks.
    @concurrent
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        let registry = LeakRegistry()
        try await LeakRegistry.$current.withValue(registry, operation: function)
        let leaks = registry.leaks
        guard !leaks.isEmpty else { return }
        Issue.record(TestKitError(leaks: leaks), sourceLocation: test.sourceLocation)
    }
}

extension Trait where Self == LeakDetectionTrait {
    /// Fails the test if at its end a call is held at a gate it made, a task sleeps on a virtual clock it made, or a
    /// client is connected to a loopback server that it made and did not stop.
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
    /// Simulations check themselves, including tasks. Objects created in a detached task are not detected.
    public static var detectsLeaks: Self { Self() }
}
