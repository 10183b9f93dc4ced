import Expectations
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

@testable import InterceptorKit

/// Small races in every order in which their steps can come, on what is behind the interceptor.
@Suite("CredentialCache, in every schedule")
struct CredentialCacheScheduleTests {
    /// A cache, a call, and a source that counts how often it is asked and how many ask at once.
    private struct Setup: Sendable {
        let refreshes = Recorder<String>()
        let cache: CredentialCache
        let call: Call
        let simulation: Simulation

        init(_ simulation: Simulation) {
            self.simulation = simulation
            let refreshes = refreshes
            let source = RefreshableCredentialSource { _ in
                refreshes.note("began")
                await Task.yield()
                refreshes.note("ended")
                return .bearer("new")
            }
            cache = CredentialCache(source, validated: .standard)
            call = Call(runtime: simulation.runtime)
        }

        var count: Int { refreshes.entries.count { $0 == "began" } }

        func start(
            _ work:
                @escaping @Sendable (CredentialCache, Call) async throws -> CredentialState.Cached
        ) -> Task<CredentialState.Cached, any Error> {
            Task.child(in: simulation) { try await work(cache, call) }
        }

        func verify() throws {
            let alternating = (0..<count).flatMap { _ in ["began", "ended"] }
            try requireEqual(refreshes.entries, alternating, "one after the other")
        }
    }

    private func requireAll(
        _ body: @escaping @Sendable (Setup, CredentialState.Cached) async throws -> Void
    ) async throws {
        let explored = try await besideOtherTests {
            try simulateAllSchedules(limit: 50_000) { simulation in
                let setup = Setup(simulation)
                try await setup.cache.replace(with: .bearer("old"))
                let old = try await setup.cache.current(for: setup.call)
                try await body(setup, old)
                try await simulation.runtime.sleep(for: .seconds(1))
                try setup.verify()
            }
        }
        expectTrue(explored.isComplete, "\(explored)")
        expectTrue(explored.schedules > 0)
    }

    @Test("refreshes once for two rejections")
    func singleFlight() async throws {
        try await requireAll { setup, old in
            let first = setup.start { try await $0.refreshed(after: old, RefreshContext(call: $1)) }
            let second = setup.start {
                try await $0.refreshed(after: old, RefreshContext(call: $1))
            }

            let versions = [try await first.value.version, try await second.value.version]
            try requireEqual(versions, [2, 2])
            try requireEqual(setup.count, 1)
        }
    }

    @Test("frees the caller that began a refresh, and keeps its result")
    func cancelled() async throws {
        try await requireAll { setup, old in
            let first = setup.start { try await $0.refreshed(after: old, RefreshContext(call: $1)) }
            await Task.yield()
            first.cancel()
            _ = await first.result
            let cached = try await setup.cache.refreshed(
                after: old,
                RefreshContext(call: setup.call)
            )

            try requireEqual(cached.version, 2)
            try requireEqual(setup.count, 1)
        }
    }

    @Test("begins nothing for a caller that was already cancelled")
    func cancelledBefore() async throws {
        try await requireAll { setup, old in
            let first = setup.start { try await $0.refreshed(after: old, RefreshContext(call: $1)) }
            first.cancel()
            let result = await first.result

            try #require(throws: CancellationError.self) { try result.get() }
            try requireEqual(setup.count, 0)
        }
    }

    @Test("discards the result of a refresh after a sign-out")
    func signOut() async throws {
        try await requireAll { setup, old in
            let first = setup.start { try await $0.refreshed(after: old, RefreshContext(call: $1)) }
            await Task.yield()
            try await setup.cache.replace(with: nil)
            _ = try await first.value
            let cached = try await setup.cache.current(for: setup.call)

            try require(cached.credential == nil)
        }
    }

    @Test("begins another refresh for one that is forced during the first")
    func forced() async throws {
        try await requireAll { setup, old in
            setup.cache.beginRefresh(after: old, RefreshContext(call: setup.call))
            await Task.yield()
            let cached = try await setup.cache.fresh(for: setup.call)

            try requireEqual(cached.version, 3)
            try requireEqual(setup.count, 2)
        }
    }

    @Test("reloads nothing before the source has taken in a sign-in")
    func untold() async throws {
        let source = RefreshableCredentialSource(initial: { .bearer("stored") }) { _ in nil }
        let cache = CredentialCache(source, validated: .standard)
        // As in a sign-in on another thread that has not come to its turn.
        cache.change { state in
            state.addPendingReplacements(1)
            return state.replace(with: .bearer("signed in"))
        }

        try await cache.reload()

        let fields = cache.read { $0.cached?.credential?.fields.map(\.value) }
        expectEqual(fields, ["Bearer signed in"])
    }
}
