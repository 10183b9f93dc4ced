import ConformanceVectors
import Expectations
import Foundation
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

@testable import InterceptorKit

@Suite("Kinds of Credential")
struct CredentialKindTests {
    private struct File: Decodable {
        var basic: [Row]
    }

    private struct Row: Decodable {
        var username: String
        var password: String
        var authorization: String?
    }

    private func sent(_ credential: Credential, to url: HTTP.URL = orders) async throws
        -> HTTP.Request
    {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) }
        let client = try HTTP.Client(transport: transport, runtime: .virtual(clock: VirtualClock()))
        {
            TokenInterceptor(
                source: FixedCredentialSource(credential),
                origins: ["https://api.example.com"]
            )
        }
        _ = try await client.send(.get(url))
        return transport.sent[0].input
    }

    @Test(
        "writes Basic as RFC 7617 section 2 does",
        arguments: [
            ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
            ("test", "123\u{A3}", "Basic dGVzdDoxMjPCow=="),
        ]
    )
    func published(user: String, password: String, field: String) async throws {
        let request = try await sent(.basic(user: user, password: password))

        expectEqual(request.headers["Authorization"], field)
    }

    @Test(
        "writes Basic as in the RFC's examples",
        .tags(.vectors),
        .vectors("auth/digest-basic.json")
    )
    func basic() async throws {
        let data = try Vectors.data("auth/digest-basic.json")
        let rows = try JSONDecoder().decode(File.self, from: data).basic
        var conformance = Conformance("basic-auth")

        for row in rows {
            let credential = Credential.basic(user: row.username, password: row.password)
            let request = try? await sent(credential)
            conformance.note(request?.headers["Authorization"] == row.authorization, row.username)
        }

        print(conformance.summary)
        expectEqual(conformance.failures, [])
        expectEqual(conformance.passed, 4)
    }

    @Test("refuses a user name with a colon, with an explanation")
    func colon() async throws {
        let error = await #expect(throws: TokenError.self) {
            try await sent(.basic(user: "a:b", password: "s3cret"))
        }

        expectEqual(error?.code, .invalidCredential)
        expectEqual(error?.message.contains("colon"), true)
        expectEqual(error?.message.contains("s3cret"), false)
    }

    @Test(
        "refuses control characters in a user name or password",
        arguments: [("a\n", "b"), ("a", "b\u{7F}")]
    )
    func control(user: String, password: String) async throws {
        let error = await #expect(throws: TokenError.self) {
            try await sent(.basic(user: user, password: password))
        }

        expectEqual(error?.message.contains("control character"), true)
    }

    @Test("puts an API key into the query encoded, and shows it nowhere")
    func query() async throws {
        let credential = Credential.query("api_key", "s3cret&=")
        let request = try await sent(credential, to: "https://api.example.com/orders?page=2")

        expectEqual(request.url.query, "page=2&api_key=s3cret%26%3D")
        expectTrue(!"\(request)".contains("s3cret"))
        expectEqual("\(credential)", #"Credential(query "api_key")"#)
        let restored = try Credential(archived: credential.archived())
        expectTrue(restored.isSame(as: credential))
    }

    @Test("refuses a parameter name whose value would be shown", arguments: ["page", "", "x y"])
    func shown(name: String) async throws {
        let error = await #expect(throws: TokenError.self) {
            try await sent(.query(name, "s3cret"))
        }

        expectEqual(error?.code, .invalidCredential)
    }

    @Test("replaces a rejected key in the query with the new one")
    func renewedQuery() async throws {
        let transport = ScriptedTransport<HTTP.Request> { request, _ in
            HTTP.Response(request.url.query == "key=new" ? 200 : 401)
        }
        let source = RefreshableCredentialSource(initial: { .query("key", "old") }) { _ in
            .query("key", "new")
        }
        let client = try HTTP.Client(transport: transport, runtime: .virtual(clock: VirtualClock()))
        {
            TokenInterceptor(source: source, origins: ["https://api.example.com"])
        }

        try await expectEqual(client.send(.get(orders)).status, 200)
        expectEqual(transport.sent.map(\.input.url.query), ["key=old", "key=new"])
    }
}
