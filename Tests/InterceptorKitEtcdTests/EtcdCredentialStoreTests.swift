import BoundedWaits
import CredentialFleet
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
    "EtcdCredentialStore over a real etcd",
    .tags(.sockets, .process),
    .serializedAcrossSuites,
    .enabled(if: EtcdServer.isInstalled, "etcd is not installed (Debian: etcd-server)"),
    .serialized,
    .timeLimit(.minutes(10))
)
struct EtcdCredentialStoreTests {
    @Test("saves over a matching revision, clears, and notes each token once")
    func contract() async throws {
        let server = try await EtcdServer()

        try await Fleet.checkContract(of: server.store())
    }

    @Test("serves the credential but uses no refresh token while etcd is down")
    func unreachable() async throws {
        let server = try await EtcdServer()
        let store = try server.store()
        _ = try await store.save(.bearer("a0", refreshToken: "r0"), over: nil)
        let asked = Mutex(0)
        let source = RefreshableCredentialSource { _ in
            asked.withLock { $0 += 1 }
            return .bearer("a1", refreshToken: "r1")
        }
        let rejects = Mutex(false)
        let service = CannedTransport { _ in
            HTTP.Response(rejects.withLock { $0 } ? 401 : 200)
        }
        let client = try HTTP.Client(transport: service, timeout: nil) {
            TokenInterceptor(
                source: StoredCredentialSource(in: store, refreshedBy: source),
                origins: ["https://api.example.com"]
            )
        }
        try await expectEqual(client.send(.get("https://api.example.com/")).status, 200)

        server.stop()

        try await expectEqual(client.send(.get("https://api.example.com/")).status, 200)
        rejects.withLock { $0 = true }
        let found = await code { _ = try await client.send(.get("https://api.example.com/")) }
        expectEqual(found, .unreachable)
        expectEqual(asked.withLock { $0 }, 0)
    }

    /// A chain to a server that can be cut off, before requests arrive or before their answers do.
    private func pipeline(
        to server: EtcdServer,
        _ cut: @escaping @Sendable () -> Cut?
    ) throws -> Pipeline<HTTP.Request> {
        let carried = try server.pipeline()
        return try Pipeline<HTTP.Request>(
            transport: CannedTransport { request in
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
        let store = try server.store(
            pipeline: pipeline(to: server) { cut.withLock(\.self) },
            lease: .seconds(1)
        )
        _ = try await store.save(.bearer("a0", refreshToken: "r0"), over: nil)
        let refreshing = RefreshableCredentialSource { _ in
            cut.withLock { $0 = .requests }
            return .bearer("a1", refreshToken: "r1")
        }
        let clock = VirtualClock()
        let source = StoredCredentialSource(
            in: store,
            refreshedBy: refreshing,
            runtime: .virtual(clock: clock)
        )

        let refreshed = try await source.refresh(try await source.load())
        let other = try server.store()
        let kept = try await unwrap(other.load())
        cut.withLock { $0 = nil }
        // It tries again after a second.
        try await within { try await clock.waitForSleepers(1) }
        clock.advance(by: .seconds(1))
        try await within { try await server.change(of: "app/credential", after: kept.version) }

        expectEqual(refreshed?.refreshToken, "r1")
        expectEqual(kept.credential.refreshToken, "r0")
        try await expectEqual(other.load()?.credential.refreshToken, "r1")
        withExtendedLifetime(source) {}
    }

    @Test("does not take its note of an unsent refresh token for another's use")
    func ownNote() async throws {
        let server = try await EtcdServer()
        let cut = Mutex<Cut?>(nil)
        let store = try server.store(pipeline: pipeline(to: server) { cut.withLock(\.self) })
        let other = try server.store()
        let digest = HashAlgorithm.sha256.hash("r0".utf8)
        _ = try await store.save(.bearer("a0", refreshToken: "r0"), over: nil)

        // Noted, though this process was not told.
        cut.withLock { $0 = .answers }
        await expectEqual(code { try await store.recordUse(of: digest) }, .unreachable)
        cut.withLock { $0 = nil }
        try await store.recordUse(of: digest)
        // Not sent, and the note could not be taken back.
        cut.withLock { $0 = .requests }
        await expectEqual(code { try await store.withdrawUse(of: digest) }, .unreachable)
        cut.withLock { $0 = nil }
        await expectEqual(code { try await other.recordUse(of: digest) }, .refreshOutcomeUnknown)
        try await store.recordUse(of: digest)

        // Now it may have been sent.
        for store in [store, other] {
            await expectEqual(
                code { try await store.recordUse(of: digest) },
                .refreshOutcomeUnknown
            )
        }
    }

    @Test("recognizes its own writes when their responses were lost")
    func lostAnswers() async throws {
        let server = try await EtcdServer()
        let loses = Mutex(true)
        let carried = try server.pipeline()
        let pipeline = try Pipeline<HTTP.Request>(
            transport: CannedTransport { request in
                let response = try await carried.run(request)
                let isLost = loses.withLock { loses in
                    loses.toggle()
                    return !loses
                }
                guard !isLost else { throw TransportError(.connectionLost, "Lost.") }
                return response
            }
        ) {}
        let store = try server.store(pipeline: pipeline)

        let version = try await store.save(.bearer("a0", refreshToken: "r0"), over: nil)
        expectTrue(version != nil)
        try await store.withLock {
            try await store.recordUse(of: HashAlgorithm.sha256.hash("r0".utf8))
        }
        try await expectEqual(store.load()?.credential.refreshToken, "r0")
    }
}
