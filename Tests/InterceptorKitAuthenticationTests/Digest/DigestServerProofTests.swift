import Expectations
import Foundation
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitAuthentication

@Suite("DigestInterceptor and the server's rspauth")
struct DigestServerProofTests {
    /// What the server adds to its responses.
    private struct Addition: Sendable {
        var info: @Sendable (_ right: RightProof) -> String?
        var headers: HTTP.Headers = [:]
        var content: @Sendable () -> HTTP.Body = { .empty }
    }

    /// Sends two requests to a server that adds something to what it accepts.
    private func send(
        _ addition: Addition,
        serverProof: DigestInterceptor.ServerProof = .checked,
        parameters: String = #"qop="auth", algorithm=SHA-256"#,
        coversBody: Bool = false
    ) async throws -> (texts: [String], sends: Int) {
        let transport = DigestServer(parameters: parameters).transport()
        let client = try HTTP.Client(transport: transport, timeout: nil) {
            DigestInterceptor(
                user: "user",
                password: "secret",
                origins: ["https://api.example.com"],
                coversBody: coversBody,
                serverProof: serverProof
            )
            AnyInterceptor { chain in
                var response = try await chain.proceed()
                guard response.status == 200 else { return response }
                response.headers = addition.headers
                response.headers["Authentication-Info"] = addition.info(
                    try RightProof(of: chain.input)
                )
                response.body = addition.content()
                return response
            }
        }
        var texts: [String] = []
        for _ in 0..<2 { texts.append(try await client.send(.get(orders)).text()) }
        return (texts, transport.sent.count)
    }

    private func failure(_ addition: Addition) async throws -> TokenError.Code? {
        do {
            _ = try await send(addition)
            return nil
        } catch let error as TokenError {
            return error.code
        }
    }

    // By Python's hashlib, for the exchanges of RFC 7616 section 3.9.1 and the content "content".
    @Test(
        "computes it as the RFC prescribes",
        arguments: [
            (
                "MD5", "9b712497bc9f91499fbcca1dfc5f09a5", "98288e837d3184feb5c5c15c6cbcdb6d"
            ),
            (
                "SHA-256",
                "86d3b25618d41854ca5039a5d7e53ff6355d5134a9b1fb088a78ac3c462195a0",
                "f7a29a9333e85fb1dda36d4c1ea9fc4aa91d010d31f335695875c700727bbc84"
            ),
            (
                "SHA-256-sess",
                "d4ad609d150eafce2281da5c3179878fdb37e6a16021272f4bed1a082f5c2324", nil
            ),
        ]
    )
    func rfc(algorithm: String, plain: String, withContent: String?) async throws {
        let text =
            #"Digest realm="http-auth@example.org", algorithm=\#(algorithm), qop="auth, auth-int", "#
            + #"nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v""#
        let challenge = try unwrap(DigestChallenge(HTTP.Challenge.parse([text])[0]))
        let authorization = DigestAuthorization(
            challenge: challenge,
            user: "Mufasa",
            password: "Circle of Life",
            method: "GET",
            target: "/dir/index.html",
            count: 1,
            clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ",
            protection: .auth
        )

        expectEqual(authorization.serverProof(of: .auth, nil), plain)
        if let withContent {
            let hash = challenge.hash.hash("content".utf8).hexadecimal
            expectEqual(authorization.serverProof(of: .authInt, hash), withContent)
        }
    }

    @Test("accepts a correct one, with any other parameters", arguments: [true, false])
    func right(isRequired: Bool) async throws {
        let addition = Addition { right in
            let text = #"rspauth="\#(right.text())", qop=auth, nc=\#(right.count)"#
            return right.count == "00000001" ? text.uppercased() : text
        }

        let sends = try await send(addition, serverProof: isRequired ? .required : .checked).sends

        expectEqual(sends, 3)
    }

    @Test(
        "fails the call for a wrong one, or one of another request",
        arguments: [
            #"rspauth="0000""#, #"rspauth="""#, #"rspauth="RIGHT", nc=00000007"#,
            #"rspauth="RIGHT", cnonce="other""#, #"rspauth="RIGHT", qop=auth-int"#,
        ]
    )
    func wrong(text: String) async throws {
        let code = try await failure(
            Addition { text.replacingOccurrences(of: "RIGHT", with: $0.text()) }
        )

        expectEqual(code, .wrongServerProof)
    }

    @Test("starts over with the next call after a wrong one")
    func wrongThenRight() async throws {
        let transport = DigestServer().transport()
        let isWrong = Lock(true)
        let client = try HTTP.Client(transport: transport, timeout: nil) {
            DigestInterceptor(
                user: "user",
                password: "secret",
                origins: ["https://api.example.com"]
            )
            AnyInterceptor { chain in
                var response = try await chain.proceed()
                if response.status == 200, isWrong.withLock(\.self) {
                    response.headers["Authentication-Info"] = #"rspauth="0", nextnonce="n7""#
                }
                return response
            }
        }

        await #expect(throws: TokenError.wrongServerProof) {
            try await client.send(.get(orders))
        }
        isWrong.withLock { $0 = false }

        try await expectEqual(client.send(.get(orders)).status, 200)
        expectEqual(transport.sent[2].input.headers["Authorization"], nil)
    }

    @Test("fails without one only if it is required")
    func missing() async throws {
        let none = Addition { _ in nil }
        let other = Addition { _ in "rspauth=" }
        for addition in [none, other] {
            try await expectEqual(send(addition).sends, 3)
            await #expect(throws: TokenError.missingServerProof) {
                try await send(addition, serverProof: .required)
            }
        }
    }

    @Test("ignores it if told to, or without qop")
    func ignored() async throws {
        let wrong = Addition { _ in #"rspauth="0""# }

        try await expectEqual(send(wrong, serverProof: .ignored).sends, 3)
        try await expectEqual(send(wrong, parameters: "algorithm=SHA-256").sends, 3)
    }

    @Test("covers the body, in memory or streamed", arguments: [true, false])
    func content(isStreamed: Bool) async throws {
        let content: @Sendable () -> HTTP.Body = {
            isStreamed ? .oneShot(OneChunk("content")) : "content"
        }
        let right = Addition(
            info: { #"rspauth="\#($0.text(of: "content"))", qop="auth-int""# },
            content: content
        )
        let wrong = Addition(
            info: { #"rspauth="\#($0.text(of: "changed"))", qop="auth-int""# },
            content: content
        )

        try await expectEqual(send(right).texts, ["content", "content"])
        try await expectEqual(failure(wrong), .wrongServerProof)
    }

    @Test("can't cover a body with a content coding")
    func codedContent() async throws {
        let coded = Addition(
            info: { #"rspauth="\#($0.text(of: "as sent"))", qop="auth-int""# },
            headers: ["Content-Encoding": "gzip"],
            content: { "decoded" }
        )

        try await expectEqual(send(coded).texts, ["decoded", "decoded"])
        await #expect(throws: TokenError.missingServerProof) {
            try await send(coded, serverProof: .required)
        }
    }
}

/// What a server that knows the password would prove it with, by another way than the library's.
private struct RightProof {
    let count: String
    private let given: HTTP.Challenge
    private let target: String

    init(of request: HTTP.Request) throws {
        given = try HTTP.Challenge.parse([try unwrap(request.headers["Authorization"])])[0]
        target = request.url.requestTarget
        count = given["nc"] ?? ""
    }

    func text(of content: String? = nil) -> String {
        let key = hash("user:r:secret")
        let tail = content.map { ":" + hash($0) } ?? ""
        let qop = content == nil ? "auth" : "auth-int"
        return hash(
            "\(key):\(given["nonce"] ?? ""):\(count):\(given["cnonce"] ?? ""):\(qop):"
                + hash(":\(target)\(tail)")
        )
    }

    private func hash(_ text: String) -> String { HashAlgorithm.sha256.hash(text.utf8).hexadecimal }
}
