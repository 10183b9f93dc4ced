import BoundedWaits
import Foundation
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import Testing

@testable import InterceptorKitEtcd

@Suite(
    "EtcdCredentialStore over a real etcd",
    .tags(.sockets, .process),
    .serializedAcrossSuites,
    .enabled(if: EtcdServer.isInstalled, "etcd is not installed (Debian: etcd-server)"),
    .serialized,
    .timeLimit(.minutes(4))
)
struct EtcdCredentialStoreTests {
    private func store(
        _ server: EtcdServer,
        pipeline: Pipeline<HTTP.Request>? = nil,
        key: String = "app/credential",
        lease: Duration = .seconds(2),
        lockTimeout: Duration = .seconds(20)
    ) throws -> EtcdCredentialStore {
        try EtcdCredentialStore(
            [server.url],
            key: key,
            pipeline: pipeline ?? server.pipeline(),
            lease: lease,
            lockTimeout: lockTimeout,
            timeout: .seconds(2)
        )
    }

    private func code(_ body: () async throws -> Void) async -> CredentialStoreError.Code? {
        do {
            try await body()
            return nil
        } catch let error as CredentialStoreError {
            return error.code
        } catch {
            return .init(description: "\(error)")
        }
    }

    @Test("saves over a matching revision, clears, and notes each token once")
    func contract() async throws {
        let server = try await EtcdServer()
        let store = try store(server)
        let expiry = Date(timeIntervalSince1970: 1_700_000_000)
        let digest = HashAlgorithm.sha256.hash("r0".utf8)

        #expect(try await store.load() == nil)
        #expect(await code { try await store.noteUse(of: digest) } == .superseded)
        let credential = Credential.bearer("a0", expiresAt: expiry, refreshToken: "r0")
        let first = try #require(try await store.save(credential, over: nil))
        #expect(try await store.save(.bearer("b"), over: nil) == nil)
        let kept = try #require(try await store.load())
        #expect(kept.version == first)
        #expect(kept.credential.expiresAt == expiry)
        #expect(kept.credential.refreshToken == "r0")

        try await store.noteUse(of: digest)
        #expect(await code { try await store.noteUse(of: digest) } == .refreshOutcomeUnknown)
        try await store.withdrawUse(of: HashAlgorithm.sha256.hash("other".utf8))
        #expect(await code { try await store.noteUse(of: digest) } == .refreshOutcomeUnknown)
        try await store.withdrawUse(of: digest)
        try await store.noteUse(of: digest)

        let next = Credential.bearer("a1", refreshToken: "r1")
        let second = try #require(try await store.save(next, over: first))
        #expect(try await store.save(.bearer("b"), over: first) == nil)
        // The old token's time is over, noted or not.
        #expect(await code { try await store.noteUse(of: digest) } == .superseded)
        try await store.noteUse(of: HashAlgorithm.sha256.hash("r1".utf8))
        #expect(try await store.load()?.version == second)
        // Given again at a sign-in, it is as good as new.
        let third = try #require(try await store.save(next, over: second))
        try await store.noteUse(of: HashAlgorithm.sha256.hash("r1".utf8))
        #expect(try await store.load()?.version == third)
        try await store.clear()
        #expect(try await store.load() == nil)
    }

    @Test("lets one process hold its lock, and wakes the next on release")
    func exclusive() async throws {
        let server = try await EtcdServer()
        let inside = Presence()
        let traffic = Traffic()
        let began = Runtime.live.now

        try await withThrowingTaskGroup { group in
            for _ in 0..<6 {
                // So long that only the watch wakes anybody.
                let pipeline = try traffic.pipeline(to: server)
                let store = try store(server, pipeline: pipeline, lease: .seconds(90))
                group.addTask {
                    try await store.withLock {
                        inside.enter()
                        traffic.answered.note("inside")
                        // The other five have come, to watch or to be in here.
                        try await traffic.answered.wait {
                            $0.count { ["watch", "inside"].contains($0) } >= 6
                        }
                        _ = try await store.load()
                        inside.leave()
                    }
                }
            }
            try await group.waitForAll()
        }

        #expect(inside.most == 1)
        #expect(began.duration(to: Runtime.live.now) < .seconds(15))
    }

    @Test("keeps its lock while its holder works, longer than one lease lasts")
    func keptAlive() async throws {
        let server = try await EtcdServer()
        let other = try store(server, lockTimeout: .zero)
        let traffic = Traffic()
        let holder = try store(server, pipeline: traffic.pipeline(to: server))

        try await holder.withLock {
            // One that nobody keeps, granted later and for longer.
            try await server.end(of: server.gateway().grantLease(.seconds(3)))
            #expect(traffic.answered.entries.count { $0 == "lease/keepalive" } >= 2)
            #expect(await code { try await other.withLock {} } == .lockTimedOut)
        }
        try await other.withLock {}
    }

    @Test("takes over the lock of a process that died when its lease ends")
    func crashedHolder() async throws {
        let server = try await EtcdServer()
        let gateway = try server.gateway()
        let lease = try await gateway.grantLease(.seconds(1))
        let put = EtcdTransaction.Operation.put(
            Data("app/credential/lock".utf8),
            Data("someone".utf8),
            lease: lease
        )
        _ = try await gateway.transact(EtcdTransaction(success: [put]))
        let hasEntered = Mutex(false)

        try await store(server).withLock { hasEntered.withLock { $0 = true } }

        #expect(hasEntered.withLock { $0 })
    }

    @Test("keeps waiting for the lock with a new lease when its own ends")
    func endedLease() async throws {
        let server = try await EtcdServer()
        let traffic = Traffic()
        let waiter = try store(server, pipeline: traffic.pipeline(to: server))

        let waiting = try await store(server).withLock {
            let held = try await server.leases()
            let waiting = Task { try await waiter.withLock {} }
            try await traffic.answered.wait { $0.contains("watch") }
            let own = try await server.leases().subtracting(held)
            #expect(own.count == 1)
            for lease in own { try await server.gateway().revoke(lease) }
            // It asks for its lease's sake every third of that.
            try await traffic.answered.wait { $0.count { $0 == "lease/grant" } == 2 }
            return waiting
        }

        try await waiting.value
    }

    @Test("leaves the lock's queue when the waiting task is cancelled")
    func cancelled() async throws {
        let server = try await EtcdServer()
        let traffic = Traffic()
        let other = try store(server, pipeline: traffic.pipeline(to: server))

        try await store(server).withLock {
            let waiting = Task { try await other.withLock {} }
            try await traffic.answered.wait { $0.contains("watch") }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
        try await other.withLock {}
    }

    @Test("serves the credential but uses no refresh token while etcd is down")
    func unreachable() async throws {
        let server = try await EtcdServer()
        let store = try store(server)
        _ = try await store.save(.bearer("a0", refreshToken: "r0"), over: nil)
        let asked = Mutex(0)
        let source = RefreshableCredential { _ in
            asked.withLock { $0 += 1 }
            return .bearer("a1", refreshToken: "r1")
        }
        let rejects = Mutex(false)
        let service = Answering { _ in
            HTTP.Response(rejects.withLock { $0 } ? 401 : 200)
        }
        let client = try HTTP.Client(transport: service) {
            TokenInterceptor(
                source: StoredCredential(in: store, renewedBy: source),
                origins: ["https://api.example.com"]
            )
        }
        #expect(try await client.send(.get("https://api.example.com/")).status == 200)

        server.stop()

        #expect(try await client.send(.get("https://api.example.com/")).status == 200)
        rejects.withLock { $0 = true }
        let found = await code { _ = try await client.send(.get("https://api.example.com/")) }
        #expect(found == .unreachable)
        #expect(asked.withLock { $0 } == 0)
    }

    /// A chain to a server that can be cut off, before requests arrive or before their answers do.
    private func pipeline(
        to server: EtcdServer,
        _ cut: @escaping @Sendable () -> Cut?
    ) throws -> Pipeline<HTTP.Request> {
        let carried = try server.pipeline()
        return try Pipeline<HTTP.Request>(
            transport: Answering { request in
                if cut() == .requests { throw TransportError(.cannotConnect, "Cut.") }
                let response = try await carried.run(request)
                if cut() == .answers { throw TransportError(.connectionLost, "Cut.") }
                return response
            }
        ) {}
    }

    private enum Cut { case requests, answers }

    @Test("saves a refreshed credential once etcd is reachable again")
    func savesLater() async throws {
        let server = try await EtcdServer()
        let cut = Mutex<Cut?>(nil)
        let store = try store(
            server,
            pipeline: pipeline(to: server) { cut.withLock(\.self) },
            lease: .seconds(1)
        )
        _ = try await store.save(.bearer("a0", refreshToken: "r0"), over: nil)
        let refreshing = RefreshableCredential { _ in
            cut.withLock { $0 = .requests }
            return .bearer("a1", refreshToken: "r1")
        }
        let clock = VirtualClock()
        let source = StoredCredential(
            in: store,
            renewedBy: refreshing,
            runtime: .virtual(clock: clock)
        )

        let renewed = try await source.refresh(try await source.load())
        let other = try self.store(server)
        let kept = try #require(try await other.load())
        cut.withLock { $0 = nil }
        // It tries again after a second.
        try await within { try await clock.waitForSleepers(1) }
        clock.advance(by: .seconds(1))
        try await within { try await server.change(of: "app/credential", after: kept.version) }

        #expect(renewed?.refreshToken == "r1")
        #expect(kept.credential.refreshToken == "r0")
        #expect(try await other.load()?.credential.refreshToken == "r1")
        withExtendedLifetime(source) {}
    }

    @Test("does not take its note of an unsent refresh token for another's use")
    func ownNote() async throws {
        let server = try await EtcdServer()
        let cut = Mutex<Cut?>(nil)
        let store = try store(server, pipeline: pipeline(to: server) { cut.withLock(\.self) })
        let other = try self.store(server)
        let digest = HashAlgorithm.sha256.hash("r0".utf8)
        _ = try await store.save(.bearer("a0", refreshToken: "r0"), over: nil)

        // Noted, though this process was not told.
        cut.withLock { $0 = .answers }
        #expect(await code { try await store.noteUse(of: digest) } == .unreachable)
        cut.withLock { $0 = nil }
        try await store.noteUse(of: digest)
        // Not sent, and the note could not be taken back.
        cut.withLock { $0 = .requests }
        #expect(await code { try await store.withdrawUse(of: digest) } == .unreachable)
        cut.withLock { $0 = nil }
        #expect(await code { try await other.noteUse(of: digest) } == .refreshOutcomeUnknown)
        try await store.noteUse(of: digest)

        // Now it may have been sent.
        for store in [store, other] {
            #expect(await code { try await store.noteUse(of: digest) } == .refreshOutcomeUnknown)
        }
    }

    @Test("recognizes its own writes when their responses were lost")
    func lostAnswers() async throws {
        let server = try await EtcdServer()
        let loses = Mutex(true)
        let carried = try server.pipeline()
        let pipeline = try Pipeline<HTTP.Request>(
            transport: Answering { request in
                let response = try await carried.run(request)
                let isLost = loses.withLock { loses in
                    loses.toggle()
                    return !loses
                }
                guard !isLost else { throw TransportError(.connectionLost, "Lost.") }
                return response
            }
        ) {}
        let store = try store(server, pipeline: pipeline)

        let version = try await store.save(.bearer("a0", refreshToken: "r0"), over: nil)
        #expect(version != nil)
        try await store.withLock {
            try await store.noteUse(of: HashAlgorithm.sha256.hash("r0".utf8))
        }
        #expect(try await store.load()?.credential.refreshToken == "r0")
    }
}

/// How many are somewhere at once.
final class Presence: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }

    func enter() {
        counts.withLock { counts in
            counts.now += 1
            counts.most = max(counts.most, counts.now)
        }
    }

    func leave() { counts.withLock { $0.now -= 1 } }
}
