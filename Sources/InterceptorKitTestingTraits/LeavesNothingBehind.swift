import InterceptorKitTesting
public import Testing

/// Fails a test that ends with something left in a gate, a virtual clock or a server it made.
public struct LeavesNothingBehindTrait: TestTrait, SuiteTrait, TestScoping {
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
        let leftBehind = ledger.leftBehind
        guard !leftBehind.isEmpty else { return }
        Issue.record(LeftBehindError(leftBehind: leftBehind), sourceLocation: test.sourceLocation)
    }
}

extension Trait where Self == LeavesNothingBehindTrait {
    /// Fails the test if, when it has ended, somebody is held at a gate it made, sleeps on a virtual
    /// clock it made, or is connected to a loopback server it made and did not stop.
    ///
    /// ```swift
    /// @Suite(.leavesNothingBehind) struct OrderTests { … }
    /// ```
    ///
    /// Simulations check themselves, tasks included. What a detached task makes is not seen.
    public static var leavesNothingBehind: Self { Self() }
}
