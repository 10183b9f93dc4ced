import BoundedWaits
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitConformance
import InterceptorKitEtcd
import InterceptorKitSharedState
import InterceptorKitSigning
import InterceptorKitTesting
import TestRun
import Testing

@Suite(
    "Shared state in etcd",
    .tags(.process, .sockets),
    .serializedAcrossSuites,
    .enabled(if: EtcdServer.isInstalled, "etcd is not installed")
)
struct EtcdSharedStateTests {
    private let terms = IdempotencyTerms(lease: .seconds(10), lifetime: .seconds(60))
    private let fingerprint = Data("request".utf8)
    private let key = IdempotencyRecordKey(principal: "alice", route: "POST /orders", key: "1")

    private func store(_ server: EtcdServer) throws -> EtcdIdempotencyStore {
        try EtcdIdempotencyStore(
            "app/idempotency",
            of: [server.url],
            pipeline: server.pipeline(),
            timeout: .seconds(5)
        )
    }

    private func nonces(_ server: EtcdServer) throws -> EtcdNonceStore {
        try EtcdNonceStore(
            "app/nonces",
            of: [server.url],
            pipeline: server.pipeline(),
            timeout: .seconds(5)
        )
    }

    @Test("are stores of idempotency records and nonces")
    func conformance() async throws {
        let server = try await EtcdServer()
        let stores = StoreConformance.Stores(
            idempotency: try store(server),
            nonces: try nonces(server)
        )

        let report = await StoreConformance.run(
            against: "etcd",
            concurrency: 32,
            timeLimit: .seconds(60),
            lease: .seconds(2)
        ) { stores }

        print(report.summary)
        expectTrue(report.isConformant, "\(report)")
    }

    @Test("grants a token that a process which comes later does not undercut")
    func tokens() async throws {
        let server = try await EtcdServer()
        guard
            case .granted(let first) = try await store(server).claim(
                key,
                holder: "a",
                fingerprint: fingerprint,
                terms: terms
            )
        else {
            Issue.record("The first claim was not granted.")
            return
        }
        _ = try await store(server).release(first)

        let second = try await store(server).claim(
            key,
            holder: "b",
            fingerprint: fingerprint,
            terms: terms
        )

        guard case .granted(let lease) = second else {
            Issue.record("The second claim is \(second).")
            return
        }
        expectTrue(lease.token > first.token)
    }

    @Test("leaves no lease behind of a request that was completed or released")
    func leases() async throws {
        let server = try await EtcdServer()
        let store = try store(server)
        func claim(_ name: String) async throws -> IdempotencyLease? {
            let key = IdempotencyRecordKey(principal: "alice", route: "/", key: name)
            let claim = try await store.claim(
                key,
                holder: name,
                fingerprint: fingerprint,
                terms: terms
            )
            if case .granted(let lease) = claim { return lease }
            return nil
        }
        let completed = try await unwrap(claim("completed"))
        let released = try await unwrap(claim("released"))

        _ = try await store.complete(completed, with: Data(), keepingFor: .seconds(60))
        _ = try await store.release(released)

        // That of the record, and the holder's, which ends by itself.
        try await expectEqual(server.leases().count, 2)
    }

    /// A pipeline that loses the answer to each first request that changes something.
    private func lossyPipeline(_ server: EtcdServer) throws -> Pipeline<HTTP.Request> {
        let carried = try server.pipeline()
        let changes = EventLog<Data>()
        return try Pipeline<HTTP.Request>(
            transport: CannedTransport { request in
                let response = try await carried.run(request)
                let body = try await request.body.collect()
                guard String(decoding: body, as: UTF8.self).contains("\"request_put\"") else {
                    return response
                }
                changes.note(body)
                // Every second one is the repetition of one that was lost.
                guard !changes.entries.count.isMultiple(of: 2) else { return response }
                throw TransportError(.connectionLost, "The answer was lost.")
            }
        ) {}
    }

    @Test("does each thing once if a response is lost")
    func lostAnswers() async throws {
        let server = try await EtcdServer()
        let pipeline = try lossyPipeline(server)
        let store = try EtcdIdempotencyStore("i", of: [server.url], pipeline: pipeline)
        let nonces = try EtcdNonceStore("n", of: [server.url], pipeline: pipeline)

        let claim = try await store.claim(
            key,
            holder: "a",
            fingerprint: fingerprint,
            terms: terms
        )
        guard case .granted(let lease) = claim else {
            Issue.record("The claim is \(claim).")
            return
        }
        let isRecorded = try await store.complete(
            lease,
            with: Data("made".utf8),
            keepingFor: .seconds(60)
        )
        let nonce = try await nonces.note("n", of: "k", until: Date() + 60, at: Date())
        let other = IdempotencyRecordKey(principal: "alice", route: "POST /orders", key: "2")
        let second = try await store.claim(
            other,
            holder: "a",
            fingerprint: fingerprint,
            terms: terms
        )
        guard case .granted(let unknown) = second else {
            Issue.record("The second claim is \(second).")
            return
        }
        let isAbandoned = try await store.abandon(unknown, keepingFor: .seconds(60))

        expectTrue(isRecorded)
        expectEqual(nonce, .fresh)
        expectTrue(isAbandoned)
    }

    @Test("throws for an entry that is no record, and leaves it")
    func malformed() async throws {
        let server = try await EtcdServer()
        let entry = Data("app/idempotency/records/\(key.principalName)/\(key.name)".utf8)
        let put = [
            "key": entry.base64EncodedString(), "value": Data("x".utf8).base64EncodedString(),
        ]
        _ = try await server.pipeline().run(.post("\(server.url)/v3/kv/put").json(put))

        let error = await #expect(throws: StoreError.self) {
            try await store(server).claim(
                key,
                holder: "a",
                fingerprint: fingerprint,
                terms: terms
            )
        }

        expectEqual(error?.code, .malformedRecord)
    }

    @Test("throws if the cluster is away")
    func away() async throws {
        let server = try await EtcdServer()
        let store = try store(server)
        let nonces = try nonces(server)
        server.stop()

        let error = await #expect(throws: StoreError.self) {
            try await store.claim(key, holder: "a", fingerprint: fingerprint, terms: terms)
        }
        let nonceError = await #expect(throws: StoreError.self) {
            try await nonces.note("n", of: "k", until: Date() + 60, at: Date())
        }

        expectEqual(error?.code, .unreachable)
        expectEqual(nonceError?.code, .unreachable)
    }

    @Test("refuse an invalid setting")
    func settings() throws {
        let pipeline = try Pipeline(transport: ScriptedTransport<HTTP.Request>(replies: [])) {}
        let url: HTTP.URL = "https://etcd.example.com"
        let settings: [([HTTP.URL], String, Duration)] = [
            ([], "p", .seconds(1)), (["nowhere"], "p", .seconds(1)), ([url], "", .seconds(1)),
            ([url], "p", .zero),
        ]

        for (members, prefix, timeout) in settings {
            #expect(throws: SettingError.self) {
                try EtcdIdempotencyStore(prefix, of: members, pipeline: pipeline, timeout: timeout)
            }
            #expect(throws: SettingError.self) {
                try EtcdNonceStore(prefix, of: members, pipeline: pipeline, timeout: timeout)
            }
        }
    }
}
