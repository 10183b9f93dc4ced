import BoundedWaits
import Expectations
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
    "A lock in a real etcd",
    .tags(.sockets, .process),
    .serializedAcrossSuites,
    .enabled(if: EtcdServer.isInstalled, "etcd is not installed (Debian: etcd-server)"),
    .serialized,
    .timeLimit(.minutes(10))
)
struct EtcdLockTests {
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
                let store = try server.store(pipeline: pipeline, lease: .seconds(90))
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

        expectEqual(inside.most, 1)
        expectTrue(began.duration(to: Runtime.live.now) < .seconds(15))
    }

    @Test("keeps its lock while its holder works, longer than one lease lasts")
    func keptAlive() async throws {
        let server = try await EtcdServer()
        let other = try server.store(lockTimeout: .zero)
        let traffic = Traffic()
        let holder = try server.store(pipeline: traffic.pipeline(to: server))

        try await holder.withLock {
            // One that nobody keeps, granted later and for longer.
            try await server.end(of: server.gateway().grantLease(.seconds(3)))
            expectTrue(traffic.answered.entries.count { $0 == "lease/keepalive" } >= 2)
            await expectEqual(code { try await other.withLock {} }, .lockTimedOut)
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

        try await server.store().withLock { hasEntered.withLock { $0 = true } }

        expectTrue(hasEntered.withLock { $0 })
    }

    @Test("keeps waiting for the lock with a new lease when its own ends")
    func endedLease() async throws {
        let server = try await EtcdServer()
        let traffic = Traffic()
        let waiter = try server.store(pipeline: traffic.pipeline(to: server))

        let waiting = try await server.store().withLock {
            let held = try await server.leases()
            let waiting = Task { try await waiter.withLock {} }
            try await traffic.answered.wait { $0.contains("watch") }
            let own = try await server.leases().subtracting(held)
            expectEqual(own.count, 1)
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
        let other = try server.store(pipeline: traffic.pipeline(to: server))

        try await server.store().withLock {
            let waiting = Task { try await other.withLock {} }
            try await traffic.answered.wait { $0.contains("watch") }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
        try await other.withLock {}
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
