import InterceptorKit
import InterceptorKitSigning
import InterceptorKitTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("SignInterceptor")
struct SignInterceptorTests {
    private let key = SigningKey(id: "app-1", secret: "s3cret".utf8)

    private func sent(
        _ request: HTTP.Request,
        by signer: RequestSigner = .hmacSHA256(keyID: "app-1", secret: "s3cret"),
        replies: [ScriptStep<HTTP.Request>] = [.status(200)],
        configure: @escaping @Sendable (inout Call) -> Void = { _ in }
    ) throws -> [HTTP.Request] {
        try Simulation.run { simulation in
            let transport = ScriptedTransport(replies: replies)
            let client = try simulation.client(transport) {
                RetryInterceptor(policy: .steady)
                SignInterceptor(signer)
            }
            _ = try await client.send(request, configure: configure)
            return transport.sent.map(\.input)
        }
    }

    @Test("adds a field that the server can verify from the request alone")
    func field() throws {
        let request = HTTP.Request.post(
            "https://api.example.com/orders?b=2&a=1",
            headers: ["Content-Type": "application/json"],
            body: #"{"id":7}"#
        )

        let signed = try #require(try sent(request).first)

        let text = try #require(signed.headers["X-Signature"])
        #expect(text.hasPrefix(#"keyid="app-1", created=1767225600, nonce=""#))
        #expect(HMACScheme().keyID(of: signed) == "app-1")
        #expect(HMACScheme().nonce(of: signed)?.count == 32)
        #expect(HMACScheme().verify(signed, with: key, date: Simulation.startDate))
    }

    @Test("adds parameters that the server can verify from the request alone")
    func parameters() throws {
        let signer = RequestSigner.hmacSHA256(keyID: "app-1", secret: "s3cret", in: .parameters)

        let signed = try #require(
            try sent(.get("https://api.example.com/a?z=%20&b=1"), by: signer).first
        )

        #expect(
            signed.url.queryParameters.map(\.name) == [
                "z", "b", "keyid", "timestamp", "nonce", "sign",
            ]
        )
        #expect(HMACScheme(.parameters).verify(signed, with: key, date: Simulation.startDate))
    }

    @Test("fails verification when anything covered is changed")
    func tampering() throws {
        let request = HTTP.Request.post(
            "https://api.example.com/orders?a=1",
            headers: ["Content-Type": "application/json", "Authorization": "Bearer t"],
            body: "{}"
        )
        let scheme = HMACScheme()
        let signed = try #require(try sent(request).first)
        let changes: [@Sendable (inout HTTP.Request) -> Void] = [
            { $0.method = .put },
            { $0.url = "https://api.example.com/orders?a=2" },
            { $0.url = "https://api.example.com/order?a=1" },
            { $0.url = "https://evil.example/orders?a=1" },
            { $0.body = "{ }" },
            { $0.headers["Content-Type"] = "text/plain" },
            { $0.headers["Authorization"] = "Bearer u" },
            { $0.headers["Authorization"] = nil },
            { request in
                let text = request.headers["X-Signature"] ?? ""
                request.headers["X-Signature"] = text.replacing("created=17", with: "created=16")
            },
            { $0.headers["X-Signature"] = nil },
            { $0.headers["X-Signature"] = "keyid=\"app-1\"" },
        ]

        #expect(scheme.verify(signed, with: key, date: Simulation.startDate))
        for change in changes {
            var changed = signed
            change(&changed)
            #expect(!scheme.verify(changed, with: key, date: Simulation.startDate))
        }
    }

    @Test("fails verification with another key, and outside the allowed time")
    func keyAndTime() throws {
        let scheme = HMACScheme()
        let signed = try #require(try sent(.get(orders)).first)
        let date = Simulation.startDate
        let others = [
            SigningKey(id: "app-1", secret: "other".utf8),
            SigningKey(id: "app-2", secret: "s3cret".utf8),
        ]

        for other in others { #expect(!scheme.verify(signed, with: other, date: date)) }
        #expect(scheme.verify(signed, with: key, date: date.addingTimeInterval(300)))
        #expect(!scheme.verify(signed, with: key, date: date.addingTimeInterval(301)))
        #expect(!scheme.verify(signed, with: key, date: date.addingTimeInterval(-301)))
    }

    @Test("signs every attempt anew, with its own time and nonce")
    func everyAttempt() throws {
        let late = ScriptStep<HTTP.Request>.status(503).after(.seconds(360))
        let signed = try sent(.get(orders), replies: [late, .status(200)])

        #expect(signed.count == 2)
        #expect(HMACScheme().verify(signed[0], with: key, date: Simulation.startDate))
        #expect(!HMACScheme().verify(signed[1], with: key, date: Simulation.startDate))
        #expect(
            HMACScheme().verify(
                signed[1],
                with: key,
                date: Simulation.startDate.addingTimeInterval(361)
            )
        )
        #expect(signed[0].headers["X-Signature"] != signed[1].headers["X-Signature"])
    }

    @Test("covers the path as it is sent")
    func normalization() throws {
        let signed = try #require(
            try sent(.get("https://api.example.com/a//b/./c/../d#part")).first
        )

        #expect(signed.url.text == "https://api.example.com/a//b/./c/../d")
    }

    @Test("hashes a file and a replayable stream, and leaves them readable")
    func streams() throws {
        let body = HTTP.Body.replayable {
            AsyncStream<Data> { continuation in
                continuation.yield(Data("ab".utf8))
                continuation.yield(Data("c".utf8))
                continuation.finish()
            }
        }

        var signed = try #require(try sent(.put(orders, body: body)).first)
        signed.body = "abc"

        #expect(HMACScheme().verify(signed, with: key, date: Simulation.startDate))
    }

    @Test("sends nothing that it can't sign")
    func refusals() throws {
        let oneShot = HTTP.Body.oneShot(AsyncStream<Data> { $0.finish() })
        let empty = RequestSigner(HMACScheme(), keys: FixedSigningKeys([]))

        #expect(throws: SigningError.self) { try sent(.put(orders, body: oneShot)) }
        let missing = #expect(throws: SigningError.self) { try sent(.get(orders), by: empty) }
        #expect(missing?.code == .missingKey)
        let unknown = #expect(throws: SigningError.self) {
            try sent(.get(orders)) { $0.signingKeyID = "app-9" }
        }
        #expect(unknown?.message.contains(#"There is no signing key with id "app-9""#) == true)
    }

    @Test("refuses an empty secret and an invalid ID when a pipeline is built")
    func invalidKeys() {
        for signer in [
            RequestSigner.hmacSHA256(keyID: "app-1", secret: ""),
            .hmacSHA256(keyID: "app\r\n1", secret: "s"), .hmacSHA256(keyID: "", secret: "s"),
            .hmacSHA256(keyID: "a,b", secret: "s"),
        ] {
            let error = #expect(throws: PipelineError.self) {
                try Pipeline(transport: Discarding()) { SignInterceptor(signer) }
            }
            #expect(error?.cause is SigningError)
        }
    }

    @Test("can be turned off for a call, or use another key for it")
    func perCall() throws {
        let keys = FixedSigningKeys([key, SigningKey(id: "app-2", secret: "other".utf8)])
        let signer = RequestSigner(HMACScheme(), keys: keys)

        let bare = try sent(.get(orders), by: signer) { $0.signsRequest = false }
        let other = try sent(.get(orders), by: signer) { $0.signingKeyID = "app-2" }

        #expect(bare.first?.headers["X-Signature"] == nil)
        #expect(try HMACScheme().keyID(of: #require(other.first)) == "app-2")
    }

    @Test("leaves a body unsigned only if told to")
    func unsignedBody() throws {
        let scheme = HMACScheme(coversBody: false)
        let signer = RequestSigner(scheme, keys: FixedSigningKeys([key]))
        let body = HTTP.Body.oneShot(AsyncStream<Data> { $0.finish() })

        var signed = try #require(try sent(.put(orders, body: body), by: signer).first)
        signed.body = "anything"

        #expect(scheme.verify(signed, with: key, date: Simulation.startDate))
        #expect(!HMACScheme().verify(signed, with: key, date: Simulation.startDate))
    }

    @Test("runs a scheme of the user's own")
    func ownScheme() throws {
        struct Reversed: SignatureScheme {
            let signatureFields = ["X-Reversed"]
            func bodyHash(for request: HTTP.Request) -> HashAlgorithm? { nil }
            func sign(_ request: HTTP.Request, _ context: SigningContext) throws -> HTTP.Request {
                var request = request
                request.headers["X-Reversed"] = String(request.url.path.reversed())
                return request
            }
        }

        let signed = try sent(
            .get(orders),
            by: RequestSigner(Reversed(), keys: FixedSigningKeys([key]))
        )

        #expect(signed.first?.headers["X-Reversed"] == "sredro/")
    }

    @Test("shows no secret of a key in any description")
    func redaction() {
        var dumped = ""
        dump(key, to: &dumped)

        for text in ["\(key)", String(reflecting: key), dumped] {
            #expect(!text.contains("s3cret") && !text.contains("115"))
        }
    }
}
