import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("What is attached to a stored credential")
struct StoredAttachmentTests {
    private func attachment(in store: some CredentialStore) async throws -> String? {
        try await store.load()?.credential.attachment(as: String.self)
    }

    @Test("is changed in the store, after a refresh that is under way")
    func refreshUnderWay() async throws {
        let (stored, token, held) = try await onEverySeed { simulation in
            let first = try Credential.bearer("t0", refreshToken: "r0").attaching("old")
            let store = MemoryCredentialStore(first, runtime: simulation.runtime)
            let gate = Gate("refresh")
            let source = StoredCredentialSource(
                in: store,
                refreshedBy: RefreshableCredentialSource { _ in
                    try await gate.pass()
                    return .bearer("t1", refreshToken: "r1")
                },
                runtime: simulation.runtime
            )
            let tokens = TokenInterceptor(source: source, origins: ["https://api.example.com"])
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                HTTP.Response(request.headers["Authorization"] == "Bearer t1" ? 200 : 401)
            }
            let client = try simulation.client(transport) { tokens }
            let call = Task.child(in: simulation) { try await client.send(.get(orders)).status }
            try await gate.waitForArrivals(1)
            let attaching = Task.child(in: simulation) { try await tokens.attach("new") }
            await Task.yield()
            gate.open()
            try await attaching.value
            try requireEqual(try await call.value, 200)
            return (
                try await attachment(in: store), try await store.load()?.credential.token,
                try tokens.held?.attachment(as: String.self)
            )
        }

        expectEqual(stored, "new")
        expectEqual(token, "t1")
        expectEqual(held, "new")
    }

    @Test("leaves the note of a refresh token whose use nobody knows the end of")
    func unknownOutcome() async throws {
        let store = MemoryCredentialStore(
            try Credential.bearer("t0", refreshToken: "r0").attaching("old")
        )
        let digest = HashAlgorithm.sha256.hash("r0".utf8)
        let source = StoredCredentialSource(
            in: store,
            refreshedBy: FixedCredentialSource(.bearer("t"))
        )
        _ = try await source.load()
        // As another process that died during its refresh.
        try await store.recordUse(of: digest)

        let error = await #expect(throws: CredentialStoreError.self) {
            try await source.attach(Data(#""new""#.utf8))
        }

        expectEqual(error?.code, .refreshOutcomeUnknown)
        try await expectEqual(attachment(in: store), "old")
        await #expect(throws: CredentialStoreError.self) { try await store.recordUse(of: digest) }
    }

    @Test("is not that of a credential which another process has stored")
    func superseded() async throws {
        let store = MemoryCredentialStore(.bearer("mine"))
        let source = StoredCredentialSource(
            in: store,
            refreshedBy: FixedCredentialSource(.bearer("t"))
        )
        _ = try await source.load()
        let version = try await store.load()?.version
        _ = try await store.save(.bearer("theirs"), over: version)

        let error = await #expect(throws: CredentialStoreError.self) {
            try await source.attach(Data(#""new""#.utf8))
        }

        expectEqual(error?.code, .superseded)
        try await expectEqual(attachment(in: store), nil)
    }

    @Test("is saved later if the store fails, and lets its token be refreshed")
    func unsaved() async throws {
        try await onEverySeed(0..<10) { simulation in
            let store = UnreliableStore(simulation.runtime, FleetCases())
            let source = StoredCredentialSource(
                in: store,
                refreshedBy: FixedCredentialSource(.bearer("t0", refreshToken: "r0")),
                runtime: simulation.runtime
            )
            _ = try await source.load()
            store.fail(.save)
            await #expect(throws: Problem.self) { try await source.attach(Data(#""new""#.utf8)) }
            store.work()
            try await simulation.runtime.sleep(for: .seconds(2))

            try requireEqual(try await attachment(in: store), "new")
            try await store.recordUse(of: HashAlgorithm.sha256.hash("r0".utf8))
        }
    }
}
