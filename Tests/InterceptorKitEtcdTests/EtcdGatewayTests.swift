import Expectations
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitEtcd
import InterceptorKitTesting
import Testing

@Suite("EtcdGateway")
struct EtcdGatewayTests {
    private func store(_ status: HTTP.Status, _ text: String) throws -> EtcdCredentialStore {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in
            HTTP.Response(status, body: .text(text))
        }
        return try EtcdCredentialStore(
            ["https://etcd.example.com"],
            key: "k",
            pipeline: try Pipeline(transport: transport) {}
        )
    }

    @Test(
        "throws malformedResponse or unreachable from each operation",
        arguments: [
            (200, "", "malformedResponse"), (200, "<html>", "malformedResponse"),
            (200, "{", "malformedResponse"), (200, "[]", "malformedResponse"),
            (200, "7", "malformedResponse"), (200, "{}", "malformedResponse"),
            (200, #"{"header":{"revision":"x"},"ID":"x"}"#, "malformedResponse"),
            (200, #"{"header":7,"ID":{}}"#, "malformedResponse"),
            (404, "{}", "unreachable"), (500, "<html>", "unreachable"), (302, "", "unreachable"),
        ] as [(Int, String, String)]
    )
    func malformed(status: Int, text: String, code: String) async throws {
        let store = try store(HTTP.Status(status), text)
        let digest = HashAlgorithm.sha256.hash("r0".utf8)
        func failure(_ body: () async throws -> Void) async -> String? {
            do {
                try await body()
                return nil
            } catch let error as CredentialStoreError {
                return error.code.description
            } catch {
                return "\(error)"
            }
        }

        await expectEqual(failure { _ = try await store.load() }, code)
        await expectEqual(failure { _ = try await store.save(.bearer("a"), over: nil) }, code)
        await expectEqual(failure { try await store.clear() }, code)
        await expectEqual(failure { try await store.withLock {} }, code)
        await expectEqual(failure { try await store.recordUse(of: digest) }, code)
        await expectEqual(failure { try await store.withdrawUse(of: digest) }, code)
    }

    @Test("asks the next member when one cannot be reached")
    func nextMember() async throws {
        let transport = ScriptedTransport<HTTP.Request> { request, _ in
            guard request.url.host == "b.example" else {
                throw TransportError(.cannotConnect, "No.")
            }
            return HTTP.Response(200, body: #"{"header":{"revision":"3"}}"#)
        }
        let store = try EtcdCredentialStore(
            ["https://a.example", "https://b.example"],
            key: "k",
            pipeline: try Pipeline(transport: transport) {}
        )

        try await expectTrue(store.load() == nil)
        expectEqual(transport.sent.count, 2)
    }

    @Test("asks no other member when a response is invalid")
    func noSense() async throws {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in
            HTTP.Response(200, body: "<html>")
        }
        let store = try EtcdCredentialStore(
            ["https://a.example", "https://b.example"],
            key: "k",
            pipeline: try Pipeline(transport: transport) {}
        )

        await #expect(throws: CredentialStoreError.self) { try await store.load() }
        expectEqual(transport.sent.count, 1)
    }
}
