import Expectations
import Foundation
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitAuthentication

@Suite("StoredCredentialSource")
struct StoredCredentialTests {
    @Test("begins with the stored credential, and loads the source without one")
    func loading() async throws {
        let store = MemoryStore(.bearer("kept"))
        let source = StoredCredentialSource(
            in: store,
            refreshedBy: FixedCredentialSource(.bearer("first"))
        )
        let empty = MemoryStore()
        let other = StoredCredentialSource(
            in: empty,
            refreshedBy: FixedCredentialSource(.bearer("first"))
        )

        let kept = try await source.load()
        let first = try await other.load()

        expectEqual(kept?.token, "kept")
        expectEqual(first?.token, "first")
        expectEqual(empty.token, "first")
    }

    @Test("asks for a first credential once for two processes that start at once")
    func coldStart() async throws {
        try await onEverySeed { simulation in
            let store = MemoryStore()
            let loads = Recorder<Int>()
            let tokens = try await withThrowingTaskGroup(of: String?.self) { group in
                for number in 1...2 {
                    let source = StoredCredentialSource(
                        in: store,
                        refreshedBy: RefreshableCredentialSource(
                            initial: {
                                loads.note(number)
                                try await simulation.runtime.sleep(for: .seconds(1))
                                return .bearer("t\(number)")
                            },
                            refresh: { _ in nil }
                        ),
                        runtime: simulation.runtime
                    )
                    group.addTask { try await source.load()?.token }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }

            try requireEqual(loads.entries.count, 1)
            try requireEqual(tokens.count, 1)
        }
    }

    @Test("saves a refreshed credential, and changes nothing on failure")
    func renewing() async throws {
        let store = MemoryStore(.bearer("t0", refreshToken: "r0"))
        let isFailing = Recorder<Bool>()
        let source = StoredCredentialSource(
            in: store,
            refreshedBy: RefreshableCredentialSource { rejected in
                guard isFailing.entries.isEmpty else { throw Problem() }
                return .bearer("t1", refreshToken: "\(rejected?.refreshToken ?? "") refreshed")
            }
        )
        let first = try await source.load()

        let second = try await source.refresh(first)
        isFailing.note(true)
        await #expect(throws: Problem.self) { try await source.refresh(second) }

        expectEqual(store.token, "t1")
        expectEqual(store.refreshToken, "r0 refreshed")
    }

    @Test("refreshes once for two processes in any interleaving")
    func twoProcesses() async throws {
        try await onEverySeed(0..<(5 * seedCount)) { simulation in
            let store = MemoryStore(.bearer("t0", refreshToken: "r0"))
            let refreshes = Recorder<String>()
            let renewing = RefreshableCredentialSource { rejected in
                refreshes.note(rejected?.refreshToken ?? "none")
                await Task.yield()
                return .bearer("t\(refreshes.entries.count)", refreshToken: "r1")
            }
            let statuses = try await withThrowingTaskGroup(of: HTTP.Status.self) { group in
                for _ in 0..<2 {
                    let client = try simulation.client(
                        ScriptedTransport { request, _ in
                            HTTP.Response(
                                request.headers["Authorization"] == "Bearer t1" ? 200 : 401
                            )
                        }
                    ) {
                        TokenInterceptor(
                            source: StoredCredentialSource(in: store, refreshedBy: renewing),
                            origins: ["https://api.example.com"]
                        )
                    }
                    group.addTask { try await client.send(.get(orders)).status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            try requireEqual(statuses, [200, 200])
            try requireEqual(refreshes.entries, ["r0"])
            try requireEqual(store.token, "t1")
        }
    }

    @Test("saves a sign-in, and clears the store at a sign-out")
    func replacing() async throws {
        let store = MemoryStore()
        let source = StoredCredentialSource(
            in: store,
            refreshedBy: RefreshableCredentialSource { _ in nil }
        )
        let tokens = TokenInterceptor(source: source, origins: ["https://api.example.com"])

        try await tokens.signIn(with: .bearer("mine"))
        expectEqual(store.token, "mine")
        try await tokens.signIn(with: .bearer("other"))
        expectEqual(store.token, "other")
        try await tokens.signOut()
        expectEqual(store.token, nil)
    }

    @Test(
        "never saves the result of a refresh after a sign-out or sign-in",
        arguments: [true, false]
    )
    func overtaken(isSignIn: Bool) async throws {
        try await onEverySeed(0..<(5 * seedCount)) { simulation in
            let store = MemoryStore(.bearer("t0", refreshToken: "r0"))
            let source = StoredCredentialSource(
                in: store,
                refreshedBy: RefreshableCredentialSource { _ in
                    await Task.yield()
                    return .bearer("t1", refreshToken: "r1")
                }
            )
            let tokens = TokenInterceptor(source: source, origins: ["https://api.example.com"])
            let client = try simulation.client(
                ScriptedTransport { request, _ in
                    HTTP.Response(request.headers["Authorization"] == "Bearer t0" ? 401 : 200)
                }
            ) { tokens }
            let caller = Task.child(in: simulation) { try await client.send(.get(orders)).status }
            await Task.yield()
            if isSignIn {
                try await tokens.signIn(with: .bearer("other"))
            } else {
                try await tokens.signOut()
            }
            _ = try await caller.value
            try await simulation.runtime.sleep(for: .seconds(1))

            try requireEqual(store.token, (isSignIn ? "other" : nil))
        }
    }

    @Test("takes a sign-in saved just before the refresh token is logged")
    func overtaken() async throws {
        let store = OvertakenStore()
        let asked = Recorder<Bool>()
        let source = RefreshableCredentialSource { _ in
            asked.note(true)
            return .bearer("a1")
        }
        let stored = StoredCredentialSource(in: store, refreshedBy: source)

        let refreshed = try await stored.refresh(try await stored.load())

        expectEqual(refreshed?.refreshToken, "other")
        expectTrue(asked.entries.isEmpty)
    }

    @Test(
        "refreshes nothing after a sign-out, here or in another process",
        arguments: [true, false]
    )
    func signedOutBefore(isHere: Bool) async throws {
        let (isNone, asked) = try await onEverySeed(0..<50) { simulation in
            // Without a refresh token, of whose use the store would know.
            let store = MemoryCredentialStore(.bearer("a0"), runtime: simulation.runtime)
            let asked = Recorder<Bool>()
            let source = RefreshableCredentialSource { _ in
                asked.note(true)
                return .bearer("a1")
            }
            let stored = StoredCredentialSource(in: store, refreshedBy: source)
            let other = StoredCredentialSource(in: store, refreshedBy: source)
            let current = try await stored.load()
            let waiting = try await store.withLock {
                let waiting = Task.child(in: simulation) { try await stored.refresh(current) }
                try await simulation.runtime.sleep(for: .seconds(1))
                try await (isHere ? stored : other).replace(with: nil)
                return waiting
            }
            return (try await waiting.value == nil, asked.entries.count)
        }

        expectTrue(isNone)
        expectEqual(asked, 0)
    }

    @Test("returns the credential stored meanwhile, without a refresh")
    func alreadyThere() async throws {
        let store = MemoryStore(.bearer("t0"))
        let renewing = RefreshableCredentialSource { _ in .bearer("t1") }
        let source = StoredCredentialSource(in: store, refreshedBy: renewing)
        _ = try await source.load()

        try await expectEqual(source.refresh(nil)?.token, "t0")
        expectEqual(store.token, "t0")
    }

    @Test("never saves a first credential after a sign-out")
    func overtakenFirst() async throws {
        try await onEverySeed(0..<(5 * seedCount)) { simulation in
            let store = MemoryStore()
            let source = StoredCredentialSource(
                in: store,
                refreshedBy: RefreshableCredentialSource { _ in
                    await Task.yield()
                    return .bearer("t1")
                }
            )
            let tokens = TokenInterceptor(source: source, origins: ["https://api.example.com"])
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                HTTP.Response(request.headers.contains("Authorization") ? 200 : 401)
            }
            let client = try simulation.client(transport) { tokens }
            let caller = Task.child(in: simulation) { try await client.send(.get(orders)).status }
            await Task.yield()
            try await tokens.signOut()
            _ = try await caller.value
            try await simulation.runtime.sleep(for: .seconds(1))

            try requireEqual(store.token, nil)
        }
    }

    @Test("uses a credential that couldn't be saved, reports it, saves the next")
    func saveFailure() async throws {
        let store = MemoryStore(.bearer("t0", refreshToken: "r0"))
        let failures = Recorder<String>()
        let refreshes = Recorder<String>()
        let source = StoredCredentialSource(
            in: store,
            refreshedBy: RefreshableCredentialSource { rejected in
                refreshes.note(rejected?.refreshToken ?? "none")
                let number = refreshes.entries.count
                return .bearer("t\(number)", refreshToken: "r\(number)")
            },
            onSaveFailure: { failures.note("\($0)") }
        )
        let loaded = try await source.load()
        store.fail(true)

        let first = try await source.refresh(loaded)
        store.fail(false)
        let second = try await source.refresh(first)

        expectEqual(first?.token, "t1")
        expectEqual(failures.entries, ["\(Problem(text: "disk full"))"])
        expectEqual(second?.token, "t2")
        expectEqual(refreshes.entries, ["r0", "r1"])
        expectEqual(store.token, "t2")
    }

    @Test("keeps the old with the newest refresh token if the new is invalid")
    func unusable() async throws {
        let store = MemoryStore(.bearer("t0", refreshToken: "r0"))
        let source = StoredCredentialSource(
            in: store,
            refreshedBy: RefreshableCredentialSource { _ in .bearer("t\n1", refreshToken: "r1") }
        )
        let loaded = try await source.load()
        _ = try await source.refresh(loaded)

        expectEqual(store.token, "t0")
        expectEqual(store.refreshToken, "r1")
    }

    @Test("keeps a session by three functions until a sign-out")
    func functions() async throws {
        let kept = Lock<Data?>(nil)
        func source() -> StoredCredentialSource {
            StoredCredentialSource(
                load: { kept.withLock(\.self) },
                save: { archive in kept.withLock { $0 = archive } },
                clear: { kept.withLock { $0 = nil } },
                refreshedBy: RefreshableCredentialSource { _ in .bearer("t1", refreshToken: "r1") }
            )
        }
        let first = source()
        try await first.replace(with: .bearer("t0", refreshToken: "r0"))
        let refreshed = try await first.refresh(first.load())
        let restarted = source()
        let loaded = try await restarted.load()
        try await restarted.replace(with: nil)

        expectEqual(refreshed?.token, "t1")
        expectEqual(loaded?.refreshToken, "r1")
        expectTrue(kept.withLock { $0 == nil })
    }

    @Test("refuses what its function returns that is no credential")
    func corruptFunction() async throws {
        let kept = Lock<Data?>(Data("{}".utf8))
        let source = StoredCredentialSource(
            load: { kept.withLock(\.self) },
            save: { archive in kept.withLock { $0 = archive } },
            clear: { kept.withLock { $0 = nil } },
            refreshedBy: FixedCredentialSource(.bearer("first"))
        )
        let error = await #expect(throws: CredentialStoreError.self) { try await source.load() }
        try await source.replace(with: nil)
        let first = try await source.load()

        expectEqual(error?.code, .corrupt)
        expectEqual(first?.token, "first")
        expectTrue(kept.withLock { $0 != nil })
    }
}
