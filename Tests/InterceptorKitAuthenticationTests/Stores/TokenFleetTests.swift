import Expectations
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import TestSupport
import Testing

@Suite("StoredCredentialSource, shared by processes")
struct TokenFleetTests {
    @Test(
        "refreshes another process's credential if it expired or was revoked",
        arguments: [600, nil] as [Double?]
    )
    func idleness(lifetime: Double?) async throws {
        let refreshes = try await onEverySeed(0..<100) { simulation in
            let fleet = try await TokenFleet(
                simulation,
                FleetCases(),
                sizes: [2],
                lifetimes: [lifetime],
                skews: [0]
            )
            let (first, last) = (fleet.all[0], fleet.all[1])
            func pass() async throws {
                try await simulation.runtime.sleep(for: .seconds(601))
                fleet.service.revoke()
            }
            try await requireEqual(first.call(), 200)
            try await requireEqual(last.call(), 200)
            try await pass()
            try await requireEqual(last.call(), 200)
            try await pass()
            for _ in 0..<3 {
                try await requireEqual(first.call(), 200)
                try await pass()
                try await requireEqual(last.call(), 200)
                try await pass()
            }
            return fleet.service.refreshes
        }

        expectEqual(refreshes, 7)
    }

    @Test("refreshes at most once a call when processes' clocks disagree")
    func skew() async throws {
        let violations = try await onEverySeed(0..<100) { simulation in
            let fleet = try await TokenFleet(
                simulation,
                FleetCases(),
                sizes: [4],
                lifetimes: [60],
                skews: [3600, -3600]
            )
            for process in fleet.all + fleet.all {
                let before = fleet.service.refreshes
                try await requireEqual(process.call(), 200)
                try require(fleet.service.refreshes - before <= 1)
                try await simulation.runtime.sleep(for: .seconds(61))
            }
            return fleet.service.state.withLock(\.violations)
        }

        expectEqual(violations, [])
    }

    @Test("serves every call after one refresh once the service works again")
    func liveness() async throws {
        let runs = Recorder<Set<String>>()

        let fleets: UInt64 = cases(200, of: 2000)
        try await besideOtherTests {
            try simulate(seeds: 0..<fleets) { simulation in
                let cases = FleetCases()
                let fleet = try await TokenFleet(simulation, cases)
                for _ in 0..<(6 + fleet.chance.below(18)) { try await fleet.doSomething() }
                fleet.service.work()
                fleet.store.work()
                // As long as the longest pause after failures, of a refresh and of a save.
                try await simulation.runtime.sleep(for: .seconds(130))
                if try await fleet.isSpoiled() {
                    cases.note("sign-in needed")
                    try await fleet.requireRefusals()
                    try await fleet.signIn()
                    try await simulation.runtime.sleep(for: .seconds(70))
                }
                try await fleet.requireService()
                try requireEqual(fleet.service.state.withLock(\.violations), [])
                runs.note(cases.all)
            }
        }

        let counts = runs.entries.reduce(into: [String: Int]()) { counts, names in
            for name in names { counts[name, default: 0] += 1 }
        }
        print("token fleet: \(runs.entries.count) runs, \(counts.sorted { $0.key < $1.key })")
        // A single seed, as of a failure that is looked into, need not have all of them.
        for name in FleetCases.expected where runs.entries.count > 1 {
            expectTrue(counts[name, default: 0] >= Int(fleets) / 100, "\(name)")
        }
    }
}

extension FleetCases {
    fileprivate static let expected =
        FleetService.Fault.allCases.map(\.rawValue)
        + UnreliableStore.Operation.allCases.map { "store: \($0)" } + [
            "skew beyond the lifetime", "unknown lifetime", "restart", "save failed",
            "sign-in needed", "taken over", "taken over and no longer accepted",
        ]
}

extension TokenFleet {
    /// Whether someone has to sign in: what is kept was refused, or sent with an unknown outcome.
    fileprivate func isSpoiled() async throws -> Bool {
        let kept = try await unwrap(store.load()?.credential.refreshToken)
        return try service.state.withLock { state in
            if state.spoiled.contains(kept) { return true }
            // Used, and its outcome is nowhere: only if it was lost with its process.
            if state.used.contains(kept) { try unwrap(state.hasLost) }
            return state.used.contains(kept)
        }
    }

    /// Every call fails with the advice to sign in, and nothing is sent.
    fileprivate func requireRefusals() async throws {
        for process in all {
            service.revoke()
            let before = service.refreshes
            let error = await #expect(throws: CredentialStoreError.self) {
                try await process.call()
            }
            try requireEqual(error?.requiresSignIn, true)
            try requireEqual(service.refreshes, before)
        }
    }

    /// Every call succeeds, with one refresh at most.
    fileprivate func requireService() async throws {
        let order = all.sorted { _, _ in chance.below(2) == 0 }
        for process in order + order {
            if chance.below(3) == 0 { service.revoke() }
            if chance.below(2) == 0 { try await idle() }
            // What was begun in the background is another call's.
            try await simulation.runtime.sleep(for: .milliseconds(50))
            let before = service.refreshes
            let old = service.state.withLock { $0.sent[process.name] }
            let kept = try await store.load()?.credential.refreshToken
                .map { "a\($0.dropFirst())" }
            if old != kept {
                cases.note("taken over")
                if !service.isAccepted(kept) { cases.note("taken over and no longer accepted") }
            }
            try await requireEqual(process.call(), 200)
            try require(service.refreshes - before <= 1)
        }
        service.revoke()
        for result in await callAtOnce() { try requireEqual(result.get(), 200) }
    }
}
