import Expectations
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitConcurrency
import InterceptorKitEtcd
import InterceptorKitTesting
import Synchronization
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("EtcdCredentialStore over scripted answers")
struct EtcdCredentialStoreScriptTests {
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

        expectEqual(error?.code, (value == "!!!" ? .malformedResponse : .corrupt))
    }

    @Test("throws for a credential that was changed after it was written")
    func changed() async throws {
        let archive = try Credential.bearer("a0").archived()
        let sum = HashAlgorithm.sha256.hash(archive).hexadecimal
        func record(_ archive: Data) async throws -> CredentialRecord? {
            let value =
                #"{"format":1,"credential":"\#(archive.base64EncodedString())","sha256":"\#(sum)"}"#
            let entry =
                #"{"key":"aw==","value":"\#(Data(value.utf8).base64EncodedString())","mod_revision":"3"}"#
            let answer =
                #"{"header":{"revision":"3"},"responses":[{"response_range":{"kvs":[\#(entry)]}}]}"#
            return try await store(200, answer).load()
        }

        let kept = try await record(archive)
        let error = await #expect(throws: CredentialStoreError.self) {
            try await record(Credential.bearer("a1").archived())
        }

        expectEqual(kept?.credential.fields.first?.value, "Bearer a0")
        expectEqual(error?.code, .corrupt)
    }

    @Test("shows its key and no credential in descriptions")
    func redaction() async throws {
        let store = try store(200, "{}")
        _ = try? await store.save(.bearer("s3cret", refreshToken: "s3cret"), over: nil)
        var dumped = ""
        dump(store, to: &dumped)

        expectEqual("\(store)", "EtcdCredentialStore(k)")
        expectTrue(dumped.contains("EtcdCredentialStore(k)"))
        expectEqual(dumped.split(separator: "\n").count, 2)
    }

    @Test("refuses an invalid setting")
    func settings() throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [])
        let pipeline = try Pipeline(transport: transport) {}
        let url: HTTP.URL = "https://etcd.example.com"
        func make(_ endpoints: [HTTP.URL], _ key: String, _ lease: Duration) throws {
            _ = try EtcdCredentialStore(endpoints, key: key, pipeline: pipeline, lease: lease)
        }

        #expect(throws: SettingError.self) { try make([], "k", .seconds(2)) }
        #expect(throws: SettingError.self) { try make(["nowhere"], "k", .seconds(2)) }
        #expect(throws: SettingError.self) { try make([url], "", .seconds(2)) }
        #expect(throws: SettingError.self) { try make([url], "k", .zero) }
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

        expectEqual(transport.sent.count, before + 1)
    }
}
