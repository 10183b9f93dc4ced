import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("DigestInterceptor")
struct DigestInterceptorTests {
    private func client(
        _ transport: ScriptedTransport<HTTP.Request>,
        password: String = "secret",
        origins: [HTTP.Origin] = ["https://api.example.com"],
        coversBody: Bool = false,
        acceptsMD5: Bool = true
    ) throws -> HTTP.Client {
        try HTTP.Client(transport: transport, timeout: nil) {
            DigestInterceptor(
                user: "user",
                password: password,
                origins: origins,
                coversBody: coversBody,
                acceptsMD5: acceptsMD5
            )
        }
    }

    @Test("replays after the first challenge, and authenticates later requests")
    func counts() async throws {
        let server = DigestServer()
        let transport = server.transport()
        let client = try client(transport)

        for _ in 0..<3 { try await expectEqual(client.send(.get(orders)).status, 200) }

        expectEqual(server.accepted, ["n1 00000001", "n1 00000002", "n1 00000003"])
        expectEqual(transport.sent.count, 4)
    }

    @Test("replaces a stale nonce, and replays once")
    func stale() async throws {
        let server = DigestServer(usesPerNonce: 1)
        let client = try client(server.transport())

        for _ in 0..<3 { try await expectEqual(client.send(.get(orders)).status, 200) }

        expectEqual(server.accepted, ["n1 00000001", "n2 00000001", "n3 00000001"])
    }

    @Test("returns a second stale nonce to the caller after one replay")
    func alwaysStale() async throws {
        let server = DigestServer(usesPerNonce: 0)
        let transport = server.transport()
        let client = try client(transport)

        try await expectEqual(client.send(.get(orders)).status, 401)
        expectEqual(transport.sent.count, 2)
    }

    @Test("returns a wrong password's 401, and starts over with the next call")
    func wrongPassword() async throws {
        let server = DigestServer()
        let transport = server.transport()
        let client = try client(transport, password: "wrong")

        try await expectEqual(client.send(.get(orders)).status, 401)
        expectEqual(transport.sent.count, 2)
        try await expectEqual(client.send(.get(orders)).status, 401)
        expectEqual(transport.sent.count, 4)
        expectEqual(transport.sent[2].input.headers["Authorization"], nil)
    }

    @Test("takes a new nonce without stale after a right password")
    func singleUse() async throws {
        let server = DigestServer(usesPerNonce: 1, saysStale: false)
        let client = try client(server.transport())

        for _ in 0..<3 { try await expectEqual(client.send(.get(orders)).status, 200) }

        expectEqual(server.accepted, ["n1 00000001", "n2 00000001", "n3 00000001"])
    }

    @Test("tries a password that is refused now with one new nonce alone")
    func refusedLater() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [
            Self.challenge(#"nonce="n1""#), .status(200), Self.challenge(#"nonce="n2""#),
            Self.challenge(#"nonce="n3""#), Self.challenge(#"nonce="n4""#),
            Self.challenge(#"nonce="n5""#),
        ])
        let client = try client(transport)

        try await expectEqual(client.send(.get(orders)).status, 200)
        try await expectEqual(client.send(.get(orders)).status, 401)
        expectEqual(transport.sent.count, 4)
        try await expectEqual(client.send(.get(orders)).status, 401)
        expectEqual(transport.sent.count, 6)
    }

    @Test("doesn't replay when the server repeats an accepted nonce without stale")
    func repeatedNonce() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [
            Self.challenge(#"nonce="n1""#), .status(200), Self.challenge(#"nonce="n1""#),
        ])
        let client = try client(transport)

        try await expectEqual(client.send(.get(orders)).status, 200)
        try await expectEqual(client.send(.get(orders)).status, 401)
        expectEqual(transport.sent.count, 3)
    }

    @Test("ignores an announced nonce for a session keyed by the first nonce")
    func nextNonceOfSession() async throws {
        let server = DigestServer(
            parameters: #"qop="auth", algorithm=SHA-256-sess"#,
            announcesNext: true
        )
        let client = try client(server.transport())

        for _ in 0..<2 { try await expectEqual(client.send(.get(orders)).status, 200) }

        expectEqual(server.accepted, ["n1 00000001", "n3 00000001"])
    }

    @Test("sends the URI that it hashes, and no credential if the call opts out")
    func bareAndAsHashed() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [
            Self.challenge(#"nonce="n1", qop="auth""#), .status(200), .status(200),
        ])
        let client = try client(transport)

        _ = try await client.send(.get("https://API.example.com:443/a/../orders?#f"))
        _ = try await client.send(.get(orders)) { $0.credentialUse = .none }

        expectEqual(transport.sent[1].input.url, "https://api.example.com/a/../orders?")
        let value = try unwrap(transport.sent[1].input.headers["Authorization"])
        expectTrue(value.contains(#"uri="/a/../orders?""#))
        expectEqual(transport.sent[2].input.headers["Authorization"], nil)
    }

    private static func challenge(_ parameters: String) -> ScriptStep<HTTP.Request> {
        .status(401, headers: ["WWW-Authenticate": #"Digest realm="r", \#(parameters)"#])
    }

    @Test("uses the next nonce that the server announces")
    func nextNonce() async throws {
        let server = DigestServer(announcesNext: true)
        let transport = server.transport()
        let client = try client(transport)

        for _ in 0..<3 { try await expectEqual(client.send(.get(orders)).status, 200) }

        expectEqual(server.accepted, ["n1 00000001", "n2 00000001", "n3 00000001"])
        expectEqual(transport.sent.count, 4)
    }

    @Test(
        "supports every algorithm, sessions, userhash, and servers without qop",
        arguments: [
            "algorithm=MD5", #"qop="auth""#, #"qop="auth-int,auth", algorithm=MD5-sess"#,
            #"qop="auth", algorithm=SHA-256-sess"#, #"qop="auth", algorithm=SHA-512-256"#,
            #"qop="auth", algorithm=SHA-512-256-sess"#, "algorithm=SHA-256-sess",
            #"qop="auth", userhash=true, algorithm=SHA-256"#, #"qop="auth-int""#,
        ]
    )
    func algorithms(parameters: String) async throws {
        let server = DigestServer(parameters: parameters)
        let client = try client(server.transport())

        let request = HTTP.Request.post(orders, body: "content")

        try await expectEqual(client.send(request).status, 200)
        try await expectEqual(client.send(request).status, 200)
    }

    @Test("covers the body if configured and offered")
    func coversBody() async throws {
        let server = DigestServer(parameters: #"qop="auth,auth-int", algorithm=SHA-256"#)
        let transport = server.transport()
        let client = try client(transport, coversBody: true)

        try await expectEqual(client.send(.post(orders, body: "content")).status, 200)

        let value = try unwrap(transport.sent[1].input.headers["Authorization"])
        expectTrue(value.contains("qop=auth-int"))
    }

    @Test("picks the strongest of several challenges, and MD5 only if allowed")
    func strongest() async throws {
        let transport = ScriptedTransport<HTTP.Request> { request, _ in
            guard request.headers["Authorization"] == nil else { return HTTP.Response(200) }
            return HTTP.Response(
                401,
                headers: [
                    "WWW-Authenticate": #"Basic realm="r", Digest realm="r", nonce="m""#,
                    "WWW-Authenticate": #"Digest realm="r", nonce="s", algorithm=SHA-256"#,
                ]
            )
        }

        _ = try await client(transport).send(.get(orders))

        expectEqual(transport.sent[1].input.headers["Authorization"]?.contains("nonce=\"s\""), true)

        let md5 = ScriptedTransport<HTTP.Request> { _, _ in
            HTTP.Response(401, headers: ["WWW-Authenticate": #"Digest realm="r", nonce="m""#])
        }
        try await expectEqual(client(md5, acceptsMD5: false).send(.get(orders)).status, 401)
        expectEqual(md5.sent.count, 1)
    }

    @Test(
        "returns malformed challenges to the caller",
        arguments: [
            "Digest", #"Digest realm="r""#, #"Digest realm="r", nonce="n", algorithm=SHA-3"#,
            #"Digest realm="r", nonce="n", qop="crazy""#, #"Digest realm="r", nonce="n"#, "\"",
        ]
    )
    func malformed(text: String) async throws {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in
            HTTP.Response(401, headers: ["WWW-Authenticate": text])
        }

        try await expectEqual(client(transport).send(.get(orders)).status, 401)
        expectEqual(transport.sent.count, 1)
    }

    @Test("sends proofs to listed origins only, and keeps another credential")
    func origins() async throws {
        let server = DigestServer()
        let transport = server.transport()
        let client = try client(transport)

        try await expectEqual(client.send(.get("https://other.example.com/")).status, 401)
        let own = HTTP.Request.get(orders, headers: ["Authorization": "Basic eDp5"])
        _ = try await client.send(own)

        expectEqual(transport.sent.count, 2)
        #expect(throws: PipelineError.self) { try self.client(transport, origins: []) }
        #expect(throws: PipelineError.self) { try self.client(transport, origins: ["nowhere"]) }
    }

    @Test("doesn't replay a one-shot body")
    func oneShot() async throws {
        let server = DigestServer()
        let transport = server.transport()
        let client = try client(transport)
        let stream = CountingStream(chunks: 1)

        let response = try await client.send(.post(orders, body: .oneShot(stream)))

        expectEqual(response.status, 401)
        expectEqual(transport.sent.count, 1)
    }

    @Test("shows the password nowhere")
    func redaction() async throws {
        let interceptor = DigestInterceptor(user: "user", password: "s3cret", origins: [])
        var dumped = ""
        dump(interceptor, to: &dumped)

        expectTrue(!dumped.contains("s3cret"))
        expectEqual("\(interceptor)", "DigestInterceptor")
    }

    @Test(
        "refuses an invalid user name when a pipeline is built",
        arguments: ["a:b", "a\nb", "a\u{0}", "a\u{7F}"]
    )
    func impossible(user: String) throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [])

        let error = #expect(throws: PipelineError.self) {
            try HTTP.Client(transport: transport, timeout: nil) {
                DigestInterceptor(user: user, password: "", origins: ["https://a.example"])
            }
        }

        expectEqual(error.map { "\($0)".contains("user name") }, true)
        expectEqual(error.map { "\($0)".contains(user) }, false)
    }

    @Test("uses each count of a nonce once, however many calls run at once")
    func concurrently() async throws {
        try await onEverySeed(0..<200) { simulation in
            let server = DigestServer()
            let client = try simulation.client(server.transport()) {
                DigestInterceptor(
                    user: "user",
                    password: "secret",
                    origins: ["https://api.example.com"]
                )
            }
            _ = try await client.send(.get(orders))
            let statuses = await withTaskGroup(of: HTTP.Status?.self) { group in
                for _ in 0..<20 {
                    group.addTask { try? await client.send(.get(orders)).status }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            try requireEqual(statuses, Array(repeating: 200, count: 20))
            try requireEqual(Set(server.accepted).count, 21)
        }
    }
}
