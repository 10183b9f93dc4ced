import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import InterceptorKitTestingTraits
import Synchronization
import Testing

@Suite struct NamedSeedsTests {
    @Test(
        "a failed expectation names its seed and stops the other seeds",
        .swallowingIssues,
        .namedSeeds
    )
    func seeds() throws {
        // No `#expect(throws:)` around it: Swift Testing then gives its line to those inside.
        var error: SimulationError?
        let line = #line + 4
        do {
            try simulateIgnoringEnvironment { simulation in
                await simulation.yield()
                #expect(simulation.seed < 3)
            }
        } catch let caught as SimulationError {
            error = caught
        }

        #expect(error?.code == .failedSeed)
        #expect(error?.seed == 3)
        #expect(
            error?.message == "An expectation failed at InterceptorKitTestingTraitsTests/"
                + "NamedSeedsTests.swift:\(line) with seed 3. "
                + "Run it alone with INTERCEPTORKIT_SEED=3."
        )
        #expect(
            seedComments.withLock { $0 } == [
                "Failed with seed 3: INTERCEPTORKIT_SEED=3 replays it."
            ]
        )
    }

    @Test("a failed expectation outside a simulation gets no comment", .namedSeeds)
    func outside() {
        withKnownIssue {
            #expect(Bool(false))
        } matching: {
            $0.comments.isEmpty
        }
    }
}

private let seedComments = Lock<[String]>([])

private func simulateIgnoringEnvironment(
    _ body: @escaping @Sendable (Simulation) async throws -> Void
) throws {
    try simulate(
        seeds: 0..<10,
        stepLimit: Simulation.defaultStepLimit,
        environment: [:],
        body
    )
}

extension Trait where Self == IssueHandlingTrait {
    /// Keeps the comments of issues that were recorded in a simulation and lets the test pass.
    fileprivate static var swallowingIssues: Self {
        .filterIssues { issue in
            guard !issue.comments.isEmpty else { return true }
            seedComments.withLock { $0 += issue.comments.map(\.rawValue) }
            return false
        }
    }
}
