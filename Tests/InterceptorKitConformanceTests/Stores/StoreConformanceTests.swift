import InterceptorKit
import InterceptorKitConformance
import InterceptorKitSharedState
import InterceptorKitTesting
import Synchronization
import Testing

/// The name that the documentation gives to a reader's store.
private typealias MyIdempotencyStore = MemoryIdempotencyStore

@Suite("StoreConformance", .timeLimit(.minutes(10)))
struct StoreConformanceTests {
    private struct NoServer: Error {}

    @Test("a correct store passes every requirement, each listed once")
    func correct() async {
        let report = await StoreConformance.run(against: "MyStore") {
            StoreConformance.Stores(idempotency: MyIdempotencyStore())
        }
        print(report)
        #expect(report.isConformant)
        #expect(Set(report.results.map(\.requirement)).count == report.results.count)
    }

    @Test("finds each promise that a store breaks", arguments: BrokenStore.Promise.allCases)
    func broken(_ promise: BrokenStore.Promise) throws {
        let failures = try Simulation.run(seed: 1) { simulation in
            let report = await StoreConformance.run(
                against: "broken",
                timeLimit: .seconds(3600),
                runtime: simulation.runtime
            ) {
                let store = MemoryIdempotencyStore(runtime: simulation.runtime)
                return StoreConformance.Stores(
                    idempotency: BrokenStore(store: store, broken: promise)
                )
            }
            return report.failures
        }

        let expected: [BrokenStore.Promise: String] = [
            .oneGrant: "grants one of twenty claims at once",
            .fingerprints: "refuses another request under a key that is completed",
            .lostLeases: "records nothing under a lease that has ended",
            .extensions: "keeps a lease that is extended",
            .growingTokens: "frees a key that is released",
            .quotas: "grants a principal no more keys than its quota",
            .responses: "returns the recorded response, byte for byte",
            .releases: "frees a key that is released",
            .unknown: "tells that the outcome is unknown when a lease has ended",
        ]
        let name = try #require(expected[promise])
        #expect(failures.contains(name))
    }

    @Test(
        "begins a lease again that it was late to extend, five times at most",
        arguments: [(1, []), (100, ["keeps a lease that is extended"])]
    )
    func late(_ count: Int, _ expected: [String]) throws {
        let failures = try Simulation.run(seed: 1) { simulation in
            let runtime = simulation.runtime
            let report = await StoreConformance.run(
                against: "late",
                timeLimit: .seconds(3600),
                runtime: runtime
            ) {
                let extensions = Mutex(0)
                let store = BrokenStore(
                    store: MemoryIdempotencyStore(runtime: runtime),
                    broken: nil
                ) {
                    let number = extensions.withLock { number in
                        number += 1
                        return number
                    }
                    if number <= count { try await runtime.sleep(for: .seconds(2)) }
                }
                return StoreConformance.Stores(idempotency: store)
            }
            return report.failures
        }

        #expect(failures == expected)
    }

    @Test("reports a store that cannot be made as its one failure")
    func failing() async {
        let report = await StoreConformance.run(against: "none") { throw NoServer() }

        #expect(report.summary == "conformance stores none: 0 passed, 1 failed, 0 skipped")
    }
}
