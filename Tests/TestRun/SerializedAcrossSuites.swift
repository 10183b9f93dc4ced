package import Testing

/// Runs one suite at a time of all that have this trait.
///
/// Tests that wait for real connections and processes have limits in real time. Beside each other they
/// would slow each other down for as long as all of them take. A suite waits for its turn before its
/// tests start, so that the wait is in no test's time limit.
package struct SerializedAcrossSuites: SuiteTrait, TestScoping {
    package var isRecursive: Bool { false }

    package init() {}

    @concurrent
    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        if Turn.isOurs { return try await function() }
        await turn.begin()
        let result: Result<Void, any Error>
        do {
            result = .success(try await Turn.$isOurs.withValue(true, operation: function))
        } catch {
            result = .failure(error)
        }
        await turn.end()
        try result.get()
    }
}

extension Trait where Self == SerializedAcrossSuites {
    /// Runs the suite when no other suite with this trait runs. For suites with real connections or
    /// processes.
    package static var serializedAcrossSuites: Self { Self() }
}

private let turn = Turn()

private actor Turn {
    /// Whether the current suite has its turn, so that a suite within it does not wait for it.
    @TaskLocal static var isOurs = false

    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func begin() async {
        if isTaken {
            await withCheckedContinuation { waiting.append($0) }
        } else {
            isTaken = true
            await Self.waitUntilThreadsAreFree()
        }
    }

    func end() {
        if waiting.isEmpty {
            isTaken = false
        } else {
            waiting.removeFirst().resume()
        }
    }

    /// Swift Testing starts all tests at once. The first suite waits until the quick ones have passed.
    private static func waitUntilThreadsAreFree() async {
        for _ in 0..<10_000 {
            let elapsed = await ContinuousClock().measure {
                for _ in 0..<20 { await Task.yield() }
            }
            if elapsed < .milliseconds(20) { return }
        }
    }
}
