import Expectations
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("StoredCredentialSource with late results")
struct LateCredentialTests {
    private static let refused = TokenError(.signInRequired, "The grant was revoked.")

    /// A store of several processes whose refresh tokens nobody notes, and that fails on demand.
    private struct PlainStore: CredentialStore {
        let kept = MemoryCredentialStore(.bearer("a0", refreshToken: "r0"))
        let isFailing = Recorder<Bool>()

        func load() async throws -> CredentialRecord? { try await kept.load() }

        func save(
            _ credential: Credential,
            over version: CredentialRecord.Version?
        ) async throws -> CredentialRecord.Version? {
            if isFailing.entries.last ?? false { throw Problem(text: "disk full") }
            return try await kept.save(credential, over: version)
        }

        func clear() async throws { try await kept.clear() }
    }

    @Test("gives a call the required credential that another process saved")
    func required() async throws {
        try await onEverySeed(0..<50) { simulation in
            let store = MemoryCredentialStore(runtime: simulation.runtime)
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                HTTP.Response(request.headers["Authorization"] == "Bearer b0" ? 200 : 401)
            }
            let source = StoredCredentialSource(
                in: store,
                refreshedBy: RefreshableCredentialSource { _ in nil }
            )
            let client = try simulation.client(transport) {
                TokenInterceptor(source: source, origins: ["https://api.example.com"])
            }
            func call() async throws -> HTTP.Status {
                try await client.send(.get(orders)) { $0.credentialUse = .required }.status
            }

            do {
                _ = try await call()
                try require(Bool(false))
            } catch let error as TokenError {
                try requireEqual(error.code, .missingCredential)
            }
            _ = try await store.save(.bearer("b0"), over: nil)
            try await requireEqual(call(), 200)
        }
    }

    @Test("sends a refused refresh token once, and continues after a sign-in")
    func refusal() async throws {
        let store = PlainStore()
        let asked = Recorder<String>()
        let source = StoredCredentialSource(
            in: store,
            refreshedBy: RefreshableCredentialSource { rejected in
                asked.note(rejected?.refreshToken ?? "none")
                guard rejected?.refreshToken == "s0" else { throw Self.refused }
                return .bearer("b1", refreshToken: "s1")
            }
        )
        let first = try await source.load()

        for _ in 0..<2 {
            let error = await #expect(throws: CredentialStoreError.self) {
                try await source.refresh(first)
            }
            expectEqual(error?.code, .signInRequired)
            expectEqual(error?.cause as? TokenError, Self.refused)
        }
        let version = try await store.load()?.version
        _ = try await store.save(.bearer("b0", refreshToken: "s0"), over: version)
        let taken = try await source.refresh(first)
        let next = try await source.refresh(taken)

        expectEqual(taken?.refreshToken, "s0")
        expectEqual(next?.refreshToken, "s1")
        expectEqual(asked.entries, ["r0", "s0"])
    }

    @Test("reports the end of a session once, and recovers from the store")
    func event() async throws {
        let names = try await onEverySeed(0..<20) { simulation in
            let events = RecordingEventSink()
            let store = PlainStore()
            let source = StoredCredentialSource(
                in: store,
                refreshedBy: RefreshableCredentialSource { _ in throw Self.refused }
            )
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                HTTP.Response(request.headers["Authorization"] == "Bearer b0" ? 200 : 401)
            }
            let client = try simulation.client(transport, events: events) {
                TokenInterceptor(source: source, origins: ["https://api.example.com"])
            }
            do {
                _ = try await client.send(.get(orders))
                try require(Bool(false))
            } catch let error as CredentialStoreError {
                try requireEqual(error.code, .signInRequired)
            }
            let version = try await store.load()?.version
            _ = try await store.save(.bearer("b0", refreshToken: "s0"), over: version)
            // As long as the pause after a failure.
            try await simulation.runtime.sleep(for: .seconds(1))
            try await requireEqual(client.send(.get(orders)).status, 200)
            return events.names.filter { $0 == .sessionEnded }
        }

        expectEqual(names, [.sessionEnded])
    }

    @Test("shares a refreshed credential between the clients of a process")
    func twoClients() async throws {
        try await onEverySeed(0..<50) { simulation in
            let refreshes = Recorder<String>()
            let source = StoredCredentialSource(
                in: MemoryCredentialStore(
                    .bearer("a0", refreshToken: "r0"),
                    runtime: simulation.runtime
                ),
                refreshedBy: RefreshableCredentialSource { rejected in
                    refreshes.note(rejected?.refreshToken ?? "none")
                    let number = refreshes.entries.count
                    return .bearer("a\(number)", refreshToken: "r\(number)")
                }
            )
            let isOver = Recorder<Bool>()
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                let accepted = isOver.entries.isEmpty ? "Bearer a0" : "Bearer a1"
                return HTTP.Response(request.headers["Authorization"] == accepted ? 200 : 401)
            }
            let clients = try (0..<3).map { _ in
                try simulation.client(transport) {
                    TokenInterceptor(source: source, origins: ["https://api.example.com"])
                }
            }
            for client in clients { _ = try await client.send(.get(orders)) }
            isOver.note(true)
            for client in clients {
                try await requireEqual(client.send(.get(orders)).status, 200)
            }
            try requireEqual(refreshes.entries, ["r0"])
        }
    }

    @Test("saves a new credential when the store recovers, unless overtaken")
    func savedLater() async throws {
        for isContested in [false, true] {
            let kept = try await onEverySeed(0..<50) { simulation in
                let store = PlainStore()
                let source = StoredCredentialSource(
                    in: store,
                    refreshedBy: RefreshableCredentialSource { _ in
                        .bearer("a1", refreshToken: "r1")
                    },
                    runtime: simulation.runtime
                )
                let first = try await source.load()
                store.isFailing.note(true)
                _ = try await source.refresh(first)
                try await simulation.runtime.sleep(for: .seconds(10))
                store.isFailing.note(false)
                let version = try await store.load()?.version
                if isContested {
                    _ = try await store.save(.bearer("b0", refreshToken: "s0"), over: version)
                }
                try await simulation.runtime.sleep(for: .seconds(10))
                return try await store.load()?.credential.refreshToken
            }

            expectEqual(kept, (isContested ? "s0" : "r1"))
        }
    }

    @Test("uses a sign-in that couldn't be saved, and saves it later")
    func unsavedSignIn() async throws {
        let kept = try await onEverySeed(0..<50) { simulation in
            let store = PlainStore()
            let asked = Recorder<String>()
            let source = StoredCredentialSource(
                in: store,
                refreshedBy: RefreshableCredentialSource { rejected in
                    asked.note(rejected?.refreshToken ?? "none")
                    return .bearer("b1", refreshToken: "s1")
                },
                runtime: simulation.runtime
            )
            _ = try await source.load()
            let signedIn = Credential.bearer("b0", refreshToken: "s0")
            store.isFailing.note(true)
            do {
                try await source.replace(with: signedIn)
                try require(Bool(false))
            } catch is Problem {}
            let refreshed = try await source.refresh(signedIn)
            try requireEqual(refreshed?.refreshToken, "s1")
            try requireEqual(asked.entries, ["s0"])
            store.isFailing.note(false)
            try await simulation.runtime.sleep(for: .seconds(10))
            return try await store.load()?.credential.refreshToken
        }

        expectEqual(kept, "s1")
    }

    @Test(
        "keeps a sign-out during a slow refresh or a slow save",
        arguments: [0.5, 1.5]
    )
    func signOut(after seconds: Double) async throws {
        /// Takes a second to save.
        struct SlowStore: CredentialStore {
            let kept = MemoryCredentialStore(.bearer("a0", refreshToken: "r0"))
            let runtime: Runtime

            func load() async throws -> CredentialRecord? { try await kept.load() }

            func save(
                _ credential: Credential,
                over version: CredentialRecord.Version?
            ) async throws -> CredentialRecord.Version? {
                try await runtime.sleep(for: .seconds(1))
                return try await kept.save(credential, over: version)
            }

            func clear() async throws { try await kept.clear() }
        }
        let (kept, current) = try await onEverySeed { simulation in
            let runtime = simulation.runtime
            let store = SlowStore(runtime: runtime)
            let source = StoredCredentialSource(
                in: store,
                refreshedBy: RefreshableCredentialSource { _ in
                    try await runtime.sleep(for: .seconds(1))
                    return .bearer("a1", refreshToken: "r1")
                },
                runtime: runtime
            )
            let cache = CredentialCache(source: source)
            let refresh = Task.child(in: simulation) { try await cache.refresh(runtime: runtime) }
            try await runtime.sleep(for: .seconds(seconds))
            try await cache.signOut()
            await #expect(throws: TokenError.self) { try await refresh.value }
            try await runtime.sleep(for: .seconds(5))
            let current = try await cache.credential(for: Call(runtime: runtime))
            return (try await store.load() == nil, current == nil)
        }

        expectTrue(kept)
        expectTrue(current)
    }

    @Test("shows a reload what another process did, also after a sign-out")
    func reload() async throws {
        let found = try await onEverySeed { simulation in
            let store = MemoryCredentialStore(.bearer("a0"), runtime: simulation.runtime)
            let (here, elsewhere) = try (cache(), cache())
            func cache() throws -> CredentialCache {
                let source = RefreshableCredentialSource { _ in nil }
                return CredentialCache(
                    source: StoredCredentialSource(in: store, refreshedBy: source)
                )
            }
            var found: [String?] = []
            func note() async throws {
                let credential = try await here.credential(for: Call(runtime: simulation.runtime))
                found.append(credential?.fields[0].value)
            }
            try await note()
            try await elsewhere.signOut()
            try await here.reload()
            try await note()
            try await elsewhere.signIn(with: .bearer("b0"))
            try await here.signOut()
            try await elsewhere.signIn(with: .bearer("b1"))
            try await note()
            try await here.reload()
            try await note()
            return found
        }

        expectEqual(found, ["Bearer a0", nil, nil, "Bearer b1"])
    }
}
