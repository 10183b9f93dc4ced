import Expectations
import Foundation
import Synchronization
import TestRun
import Testing

@Suite("Tests that share a machine")
struct TestRunTests {
    private let test: Test

    init() throws { test = try unwrap(Test.current) }

    @Test("run one suite at a time of those with real connections")
    func suites() async throws {
        let counts = Counts()

        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<5 {
                group.addTask {
                    try await SerializedAcrossSuites().provideScope(for: test, testCase: nil) {
                        counts.enter()
                        for _ in 0..<10 { await Task.yield() }
                        counts.leave()
                    }
                }
            }
            try await group.waitForAll()
        }

        expectEqual(counts.most, 1)
        expectEqual(counts.all, 5)
    }

    @Test("let a suite within a suite run, though both take turns", .timeLimit(.minutes(20)))
    func nested() async throws {
        let counts = Counts()
        let turns = SerializedAcrossSuites()

        try await turns.provideScope(for: test, testCase: nil) {
            try await turns.provideScope(for: test, testCase: nil) { counts.enter() }
        }

        expectEqual(counts.all, 1)
    }

    @Test("give the turn on when a suite throws")
    func throwing() async throws {
        let turns = SerializedAcrossSuites()

        await #expect(throws: Problem.self) {
            try await turns.provideScope(for: test, testCase: nil) { throw Problem() }
        }

        try await turns.provideScope(for: test, testCase: nil) {}
    }

    @Test("compute on as many threads as there are processors, one test on each")
    func threads() async throws {
        let counts = Counts()

        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    try await besideOtherTests {
                        counts.enter()
                        counts.leave()
                    }
                }
            }
            try await group.waitForAll()
        }

        expectTrue(counts.most <= ProcessInfo.processInfo.activeProcessorCount)
        expectEqual(counts.all, 40)
    }

    @Test("compute within a test that computes already", .processorBound)
    func computingWithin() async throws {
        let counts = Counts()

        try await besideOtherTests { counts.enter() }

        expectEqual(counts.all, 1)
    }

    @Test("keep the current test where they compute, for failures to name it")
    func current() async throws {
        let name = try await besideOtherTests { Test.current?.name }

        expectEqual(name, test.name)
    }
}

private struct Problem: Error {}

/// How many are within at once, and at most.
private final class Counts: Sendable {
    private let state = Mutex((now: 0, most: 0, all: 0))

    var most: Int { state.withLock { $0.most } }
    var all: Int { state.withLock { $0.all } }

    func enter() {
        state.withLock { state in
            state.now += 1
            state.all += 1
            state.most = max(state.most, state.now)
        }
    }

    func leave() { state.withLock { $0.now -= 1 } }
}
