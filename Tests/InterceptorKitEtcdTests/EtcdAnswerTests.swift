import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitConcurrency
import InterceptorKitEtcd
import InterceptorKitTesting
import Synchronization
import Testing

@Suite("EtcdCredentialStore with invalid responses")
struct EtcdAnswerTests {
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
        "throws malformedAnswer or unreachable from each operation",
        arguments: [
            (200, "", "malformedAnswer"), (200, "<html>", "malformedAnswer"),
            (200, "{", "malformedAnswer"), (200, "[]", "malformedAnswer"),
            (200, "7", "malformedAnswer"), (200, "{}", "malformedAnswer"),
            (200, #"{"header":{"revision":"x"},"ID":"x"}"#, "malformedAnswer"),
            (200, #"{"header":7,"ID":{}}"#, "malformedAnswer"),
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

        #expect(await failure { _ = try await store.load() } == code)
        #expect(await failure { _ = try await store.save(.bearer("a"), over: nil) } == code)
        #expect(await failure { try await store.clear() } == code)
        #expect(await failure { try await store.withLock {} } == code)
        #expect(await failure { try await store.noteUse(of: digest) } == code)
        #expect(await failure { try await store.withdrawUse(of: digest) } == code)
    }

    @Test(
        "throws for a value that is no stored credential",
        arguments: ["", "Zm9v", "e30=", "!!!", "eyJmb3JtYXQiOjEsImNyZWRlbnRpYWwiOiIifQ=="]
    )
    func corrupt(value: String) async throws {
        let entry = #"{"key":"aw==","value":"\#(value)","mod_revision":"3"}"#
        let store = try store(
            200,
            #"{"header":{"revision":"3"},"responses":[{"response_range":{"kvs":[\#(entry)]}}]}"#
        )

        let error = await #expect(throws: CredentialStoreError.self) { try await store.load() }

        #expect(error?.code == (value == "!!!" ? .malformedAnswer : .corrupt))
    }

    @Test("shows its key and no credential in descriptions")
    func redaction() async throws {
        let store = try store(200, "{}")
        _ = try? await store.save(.bearer("s3cret", refreshToken: "s3cret"), over: nil)
        var dumped = ""
        dump(store, to: &dumped)

        #expect("\(store)" == "EtcdCredentialStore(k)")
        #expect(dumped.contains("EtcdCredentialStore(k)"))
        #expect(dumped.split(separator: "\n").count == 2)
    }

    @Test("refuses an invalid setting")
    func settings() throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [])
        let pipeline = try Pipeline(transport: transport) {}
        let url: HTTP.URL = "https://etcd.example.com"
        func make(_ endpoints: [HTTP.URL], _ key: String, _ lease: Duration) throws {
            _ = try EtcdCredentialStore(endpoints, key: key, pipeline: pipeline, lease: lease)
        }

        #expect(throws: CredentialStoreError.self) { try make([], "k", .seconds(2)) }
        #expect(throws: CredentialStoreError.self) { try make(["nowhere"], "k", .seconds(2)) }
        #expect(throws: CredentialStoreError.self) { try make([url], "", .seconds(2)) }
        #expect(throws: CredentialStoreError.self) { try make([url], "k", .zero) }
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

        #expect(try await store.load() == nil)
        #expect(transport.sent.count == 2)
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
        #expect(transport.sent.count == 1)
    }

    @Test("does not save after a sign-out what it failed to save before")
    func clearedBeforeSaved() async throws {
        let isCut = Lock(true)
        let transport = ScriptedTransport<HTTP.Request> { _, _ in
            if isCut.withLock(\.self) { throw TransportError(.cannotConnect, "Cut.") }
            return HTTP.Response(200, body: #"{"header":{"revision":"3"}}"#)
        }
        let store = try EtcdCredentialStore(
            ["https://a.example"],
            key: "k",
            pipeline: try Pipeline(transport: transport) {}
        )
        await #expect(throws: CredentialStoreError.self) {
            try await store.save(.bearer("a0"), over: nil)
        }
        isCut.withLock { $0 = false }

        try await store.clear()
        let before = transport.sent.count
        _ = try await store.load()

        #expect(transport.sent.count == before + 1)
    }
}
