import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("The current credential")
struct CurrentCredentialTests {
    private static let origin: HTTP.Origin = "https://api.example.com"

    /// A cache of a credential that expired, and a source that answers after a second.
    private struct Session: Sendable {
        let simulation: Simulation
        let cache: CredentialCache
        let interceptor: TokenInterceptor
        let refreshes = Recorder<Runtime.Instant>()

        init(_ simulation: Simulation) throws {
            self.simulation = simulation
            let runtime = simulation.runtime
            let old = Credential.bearer("old", expiresAt: runtime.date.addingTimeInterval(-60))
            let source = RefreshableCredentialSource(initial: { old }) { [refreshes] _ in
                refreshes.note(runtime.now)
                try await runtime.sleep(for: .seconds(1))
                return .bearer("new")
            }
            cache = CredentialCache(source: source)
            interceptor = TokenInterceptor("user", cache: cache, origins: [origin])
        }

        func call(_ use: CredentialUse = .automatic, name: String? = nil) -> Call {
            var call = Call(runtime: simulation.runtime)
            call.credentialUse = use
            call.credentialName = name
            return call
        }
    }

    @Test("is the one that a request to the URL gets, or none")
    func request() async throws {
        let found = try await onEverySeed { simulation in
            let session = try Session(simulation)
            let calls: [(HTTP.URL, Call)] = [
                (orders, session.call(.none)), (orders, session.call(name: "service")),
                ("https://other.example.com/", session.call(.required)),
                (orders, session.call(name: "user")),
            ]
            var found: [String?] = []
            for (url, call) in calls {
                let credential = try await session.interceptor.credential(for: url, call: call)
                found.append(credential?.fields[0].value)
            }
            return found
        }

        expectEqual(found, [nil, nil, nil, "Bearer new"])
    }

    @Test("is read at once: none before it was loaded, then what is held")
    func held() async throws {
        let found = try await onEverySeed { simulation in
            let session = try Session(simulation)
            var found = [session.interceptor.held?.token]
            _ = try await session.interceptor.credential(for: orders, call: session.call())
            found.append(session.interceptor.held?.token)
            try await session.cache.signOut()
            return found + [session.interceptor.held?.token]
        }

        expectEqual(found, [nil, "new", nil])
    }

    @Test("is refreshed once for all that ask and send through one cache")
    func once() async throws {
        let (refreshes, sent) = try await onEverySeed { simulation in
            let session = try Session(simulation)
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) }
            let client = try simulation.client(transport) {
                session.interceptor
                TokenInterceptor("live", cache: session.cache, origins: ["https://live.example"])
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for url: HTTP.URL in [orders, "https://live.example/"] {
                    group.addTask { _ = try await client.send(.get(url)) }
                    for _ in 0..<4 {
                        group.addTask {
                            _ = try await session.interceptor.credential(
                                for: orders,
                                call: session.call()
                            )
                        }
                    }
                }
                try await group.waitForAll()
            }
            return (
                session.refreshes.entries.count,
                transport.sent.map { $0.input.headers["Authorization"] }
            )
        }

        expectEqual(refreshes, 1)
        expectEqual(sent, ["Bearer new", "Bearer new"])
    }

    @Test("is none after a sign-out during its refresh, which who waits is told")
    func signOut() async throws {
        let (codes, later) = try await onEverySeed { simulation in
            let session = try Session(simulation)
            let waiting = [
                Task.child(in: simulation) {
                    _ = try await session.interceptor.credential(
                        for: orders,
                        call: session.call(.required)
                    )
                },
                Task.child(in: simulation) {
                    try await session.interceptor.refresh(runtime: simulation.runtime)
                },
            ]
            try await simulation.runtime.sleep(for: .milliseconds(500))
            try await session.cache.signOut()
            var codes: [TokenError.Code?] = []
            for task in waiting {
                do {
                    try await task.value
                } catch let error as TokenError {
                    codes.append(error.code)
                }
            }
            try await simulation.runtime.sleep(for: .seconds(5))
            return (codes, try await session.cache.credential(for: session.call())?.fields[0].value)
        }

        expectEqual(codes, [.signedOut, .signedOut])
        expectEqual(later, nil)
    }

    @Test("is not stored by a slow sign-in after a sign-out")
    func slowSave() async throws {
        struct SlowSource: CredentialSource {
            let runtime: Runtime
            let stored = Recorder<String?>()

            func load() async throws -> Credential? { nil }
            func refresh(_ rejected: Credential?) async throws -> Credential? { nil }

            func replace(with credential: Credential?) async throws {
                if credential != nil { try await runtime.sleep(for: .seconds(1)) }
                stored.note(credential?.fields[0].value)
            }
        }
        let stored = try await onEverySeed { simulation in
            let source = SlowSource(runtime: simulation.runtime)
            let cache = CredentialCache(source: source)
            let signIn = Task.child(in: simulation) { try await cache.signIn(with: .bearer("t")) }
            try await simulation.runtime.sleep(for: .milliseconds(500))
            try await cache.signOut()
            try await signIn.value
            return source.stored.entries.last
        }

        expectEqual(stored, .some(nil))
    }
}
