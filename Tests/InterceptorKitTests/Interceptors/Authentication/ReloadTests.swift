import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("CredentialCache, reloaded")
struct ReloadTests {
    /// A cache whose source holds what other processes left there.
    private struct Session: Sendable {
        let held = Recorder<Credential?>()
        let cache: CredentialCache
        let runtime: Runtime

        init(_ simulation: Simulation, error: TokenError? = nil) throws {
            let runtime = simulation.runtime
            self.runtime = runtime
            held.note(.bearer("mine"))
            let source = RefreshableCredentialSource { [held] in
                try await runtime.sleep(for: .seconds(1))
                return held.entries.last ?? nil
            } refresh: { rejected in
                guard rejected != nil else { return nil }
                try await runtime.sleep(for: .seconds(2))
                if let error { throw error }
                return .bearer("refreshed")
            }
            cache = CredentialCache(source: source)
        }

        func current() async throws -> String {
            let credential = try await cache.credential(for: Call(runtime: runtime))
            return credential?.fields[0].value ?? "none"
        }
    }

    @Test("takes over another process's sign-in, sign-out and next sign-in")
    func elsewhere() async throws {
        let found = try await onEverySeed { simulation in
            let session = try Session(simulation)
            var found = [try await session.current()]
            for held in [Credential.bearer("other"), nil, .bearer("next")] {
                session.held.note(held)
                found.append(try await session.current())
                try await session.cache.reload()
                found.append(try await session.current())
            }
            return found
        }

        expectEqual(
            found,
            [
                "Bearer mine", "Bearer mine", "Bearer other", "Bearer other", "none", "none",
                "Bearer next",
            ]
        )
    }

    @Test("takes over a sign-in after the end of its session or a sign-out")
    func after() async throws {
        for isSignOut in [false, true] {
            let found = try await onEverySeed { simulation in
                let session = try Session(simulation, error: TokenError(.signInRequired, "Over."))
                await #expect(throws: TokenError.self) {
                    try await session.cache.refresh(runtime: session.runtime)
                }
                if isSignOut {
                    try await session.cache.signOut()
                    session.held.note(nil)
                    try await session.cache.reload()
                    try await requireEqual(session.current(), "none")
                }
                session.held.note(.bearer("other"))
                try await session.cache.reload()
                return try await session.current()
            }

            expectEqual(found, "Bearer other")
        }
    }

    @Test("gives waiting calls what it finds, and drops the refresh's result")
    func waiting() async throws {
        let found = try await onEverySeed { simulation in
            let session = try Session(simulation)
            let old = try await session.cache.credential(for: Call(runtime: session.runtime))
            let rejected = Task.child(in: simulation) {
                let call = Call(runtime: session.runtime)
                return try await session.cache.credential(for: call, after: old)?.fields[0].value
            }
            session.held.note(.bearer("other"))
            try await session.cache.reload()
            let given = try await rejected.value
            try await session.runtime.sleep(for: .seconds(5))
            return [given, try await session.current()]
        }

        expectEqual(found, ["Bearer other", "Bearer other"])
    }

    @Test("changes nothing if a sign-out or a refresh comes before what it finds")
    func overtaken() async throws {
        for isSignOut in [false, true] {
            let found = try await onEverySeed { simulation in
                let session = try Session(simulation)
                _ = try await session.current()
                let refresh = Task.child(in: simulation) {
                    try await session.cache.refresh(runtime: session.runtime)
                }
                try await session.runtime.sleep(for: .milliseconds(1500))
                session.held.note(.bearer("other"))
                let reload = Task.child(in: simulation) { try await session.cache.reload() }
                try await session.runtime.sleep(for: .milliseconds(250))
                if isSignOut { try await session.cache.signOut() }
                try await reload.value
                _ = await refresh.result
                return try await session.current()
            }

            expectEqual(found, isSignOut ? "none" : "Bearer refreshed")
        }
    }

    @Test("waits for a sign-in that is being stored")
    func storing() async throws {
        final class SlowSource: CredentialSource {
            let runtime: Runtime
            let stored = Recorder<Credential?>()

            init(runtime: Runtime) { self.runtime = runtime }

            func load() async throws -> Credential? { stored.entries.last ?? nil }
            func refresh(_ rejected: Credential?) async throws -> Credential? { nil }

            func replace(with credential: Credential?) async throws {
                try await runtime.sleep(for: .seconds(1))
                stored.note(credential)
            }
        }
        let found = try await onEverySeed { simulation in
            let source = SlowSource(runtime: simulation.runtime)
            let cache = CredentialCache(source: source)
            let signIn = Task.child(in: simulation) { try await cache.signIn(with: .bearer("t")) }
            try await simulation.runtime.sleep(for: .milliseconds(500))
            try await cache.reload()
            try await signIn.value
            let current = try await cache.credential(for: Call(runtime: simulation.runtime))
            return [current, source.stored.entries.last ?? nil].map { $0?.fields[0].value }
        }

        expectEqual(found, ["Bearer t", "Bearer t"])
    }
}
