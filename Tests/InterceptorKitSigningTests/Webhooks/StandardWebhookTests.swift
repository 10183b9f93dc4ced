import Expectations
import InterceptorKit
import InterceptorKitSigning
import InterceptorKitTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Standard Webhooks")
struct StandardWebhookTests {
    /// The example of the specification's own tests (standard-webhooks 1.0, "sign function works").
    private static let published = Delivery(
        secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
        timestamp: 1_614_265_330,
        content: #"{"test": 2432232314}"#,
        signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    )

    private static let other = "v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc="

    private struct Delivery: Sendable {
        var secret: String
        var id: String
        var timestamp: Int
        var content: String
        var signature: String

        var date: Date { Date(timeIntervalSince1970: Double(timestamp)) }
        var request: HTTP.Request {
            .post(
                "https://hooks.example.com/",
                headers: [
                    "webhook-id": id, "webhook-timestamp": "\(timestamp)",
                    "webhook-signature": signature,
                ],
                body: .bytes(content.utf8)
            )
        }

        var key: VerificationKey {
            get throws { try VerificationKey(id: "sender", webhookSecret: secret) }
        }
    }

    private func code(
        _ change: (inout HTTP.Request) -> Void = { _ in },
        keys: [VerificationKey]? = nil,
        after seconds: Double = 0
    ) async throws -> SignatureVerificationError.Code? {
        var request = Self.published.request
        change(&request)
        let verifier = StandardWebhookVerifier(keys: try keys ?? [Self.published.key])
        do {
            _ = try await verifier.verify(
                request,
                at: Self.published.date.addingTimeInterval(seconds)
            )
            return nil
        } catch let error as SignatureVerificationError {
            return error.code
        }
    }

    @Test("signs the published example")
    func signs() throws {
        let key = try SigningKey(id: "sender", webhookSecret: Self.published.secret)
        let freshness = SignatureFreshness(date: Self.published.date, nonce: "")

        let signed = try StandardWebhookScheme().sign(
            .post(
                "https://hooks.example.com/",
                headers: ["webhook-id": Self.published.id],
                body: .bytes(Self.published.content.utf8)
            ),
            SigningContext(key: key, freshness: freshness)
        )

        expectEqual(signed.headers["webhook-signature"], Self.published.signature)
        expectEqual(signed.headers["webhook-timestamp"], "\(Self.published.timestamp)")
    }

    @Test("accepts the published example, with whsec_ or without")
    func accepts() async throws {
        let bare = try VerificationKey(
            id: "sender",
            webhookSecret: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
        )
        let verifier = StandardWebhookVerifier(keys: [try Self.published.key])

        let webhook = try await verifier.verify(Self.published.request, at: Self.published.date)

        expectEqual(webhook.id, Self.published.id)
        expectEqual(webhook.date, Self.published.date)
        expectEqual(webhook.keyID, "sender")
        try await expectEqual(code(keys: [bare]), nil)
    }

    @Test("finds the right one in a list of signatures")
    func list() async throws {
        let right = Self.published.signature
        let wrong = Self.other
        let unknown = "v2" + wrong.dropFirst(2)
        let lists = [
            "\(wrong) \(unknown) \(right) \(wrong)", "\(right) \(wrong)", "x, v1 \(right)",
            "  \(right)  ",
        ]

        for list in lists {
            let code = try await code { $0.headers["webhook-signature"] = list }

            expectEqual(code, nil, "\(list)")
        }
    }

    @Test("refuses a webhook that is not as it was signed")
    func refuses() async throws {
        let changes: [(SignatureVerificationError.Code, (inout HTTP.Request) -> Void)] = [
            (.unsigned, { $0.headers["webhook-id"] = nil }),
            (.unsigned, { $0.headers["webhook-timestamp"] = nil }),
            (.unsigned, { $0.headers["webhook-signature"] = nil }),
            (.malformed, { $0.headers.append(name: "webhook-id", value: "msg_2") }),
            (.malformed, { $0.headers["webhook-timestamp"] = "hello" }),
            (.malformed, { $0.headers["webhook-timestamp"] = "1614265330.0" }),
            (.malformed, { $0.headers["webhook-id"] = "msg.1" }),
            (.mismatch, { $0.headers["webhook-id"] = "msg_2" }),
            (.mismatch, { $0.headers["webhook-timestamp"] = "1614265331" }),
            (.mismatch, { $0.body = "{\"test\": 2432232315}" }),
            (.mismatch, { $0.headers["webhook-signature"] = Self.other }),
            (.mismatch, { $0.headers["webhook-signature"] = "v1," }),
            (.mismatch, { $0.headers["webhook-signature"] = "v1,g0hM9SsE" }),
            (
                .mismatch,
                { $0.headers["webhook-signature"] = "v1a" + Self.published.signature.dropFirst(2) }
            ),
            (
                .tooManySignatures,
                {
                    let many = Array(repeating: Self.other, count: 33)
                    $0.headers["webhook-signature"] = many.joined(separator: " ")
                }
            ),
        ]

        for (expected, change) in changes {
            let code = try await code(change)

            expectEqual(code, expected)
        }
    }

    @Test("accepts times up to the tolerance, before and after")
    func tolerance() async throws {
        try await expectEqual(code(after: 300), nil)
        try await expectEqual(code(after: 301), .tooOld)
        try await expectEqual(code(after: -300), nil)
        try await expectEqual(code(after: -301), .notYetValid)
    }

    @Test("refuses secrets that are not base64 of 24 to 64 bytes")
    func secrets() throws {
        let texts = [
            "", "whsec_", "whsec_c2hvcnQ=", "not base64!", String(repeating: "A", count: 88),
        ]

        for text in texts {
            let error = #expect(throws: SigningError.self) {
                try VerificationKey(id: "sender", webhookSecret: text)
            }

            expectEqual(error?.code, .unsuitableKey)
            expectTrue(text.count < 8 || error?.message.contains(text) == false)
        }
        _ = try SigningKey(id: "s", webhookSecret: String(repeating: "A", count: 86))
    }

    @Test("signs with the old key too while receivers change to the new one")
    func rotation() async throws {
        let secrets = ["A", "B", "C"].map { String(repeating: $0, count: 32) }
        let keys = try secrets.map { try SigningKey(id: "k", webhookSecret: $0) }
        let signed = try StandardWebhookScheme(alsoSigningWith: [keys[1]]).sign(
            .post("https://a.example/", headers: ["webhook-id": "msg_1"], body: "{}"),
            SigningContext(key: keys[0], freshness: SignatureFreshness(date: Date(), nonce: ""))
        )

        var accepted: [Bool] = []
        for secret in secrets {
            let key = try VerificationKey(id: "k", webhookSecret: secret)
            let verifier = StandardWebhookVerifier(keys: [key])
            accepted.append((try? await verifier.verify(signed, at: Date())) != nil)
        }

        expectEqual(accepted, [true, true, false])
    }

    /// Stands for a private key and its public half.
    private struct Pair: MessageSigner, MessageVerifier {
        var algorithm = SignatureAlgorithm.ed25519

        func signature(of message: [UInt8]) -> [UInt8] {
            Array(HashAlgorithm.sha512.hash(message))
        }

        func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
            signature == self.signature(of: message)
        }
    }

    @Test("marks signatures by Ed25519 as v1a, and takes no other for them")
    func privateKeys() async throws {
        let context = SigningContext(
            key: SigningKey(id: "k", signer: Pair()),
            freshness: SignatureFreshness(date: Date(), nonce: "")
        )
        let request = HTTP.Request.post(
            "https://a.example/",
            headers: ["webhook-id": "msg_1"],
            body: "{}"
        )
        let verifier = StandardWebhookVerifier(keys: [VerificationKey(id: "k", verifier: Pair())])

        var signed = try StandardWebhookScheme().sign(request, context)
        let signature = signed.headers["webhook-signature"] ?? ""
        let webhook = try await verifier.verify(signed, at: Date())
        signed.headers["webhook-signature"] = "v1" + signature.dropFirst(3)

        expectTrue(signature.hasPrefix("v1a,"))
        expectEqual(webhook.keyID, "k")
        await #expect(throws: SignatureVerificationError.self) {
            try await verifier.verify(signed, at: Date())
        }
        #expect(throws: SigningError.self) {
            let key = SigningKey(id: "k", signer: Pair(algorithm: .ecdsaP256SHA256))
            _ = try StandardWebhookScheme().sign(
                request,
                SigningContext(key: key, freshness: context.freshness)
            )
        }
    }

    @Test("refuses to sign without an id of its own form, or content in memory")
    func unsignable() throws {
        let key = try SigningKey(id: "k", webhookSecret: String(repeating: "A", count: 32))
        let context = SigningContext(
            key: key,
            freshness: SignatureFreshness(date: Date(), nonce: "")
        )
        let good: HTTP.Headers = ["webhook-id": "msg_1"]
        let requests: [HTTP.Request] = [
            .post("https://a.example/", body: "{}"),
            .post("https://a.example/", headers: ["webhook-id": "a.b"], body: "{}"),
            .post("https://a.example/", headers: ["webhook-id": "a b"], body: "{}"),
            .post(
                "https://a.example/",
                headers: good,
                body: .oneShot(AsyncStream<Data> { $0.finish() })
            ),
        ]

        for request in requests {
            #expect(throws: SigningError.self) {
                try StandardWebhookScheme().sign(request, context)
            }
        }
    }

    @Test("accepts one attempt once, and the next attempt of the same event")
    func replays() async throws {
        let key = try SigningKey(id: "k", webhookSecret: Self.published.secret)
        let verifier = StandardWebhookVerifier(
            keys: [try Self.published.key],
            nonces: NonceCache()
        )
        func attempt(at seconds: Double) throws -> HTTP.Request {
            let date = Self.published.date.addingTimeInterval(seconds)
            return try StandardWebhookScheme().sign(
                .post("https://a.example/", headers: ["webhook-id": "msg_1"], body: "{}"),
                SigningContext(key: key, freshness: SignatureFreshness(date: date, nonce: ""))
            )
        }
        let date = Self.published.date

        _ = try await verifier.verify(attempt(at: 0), at: date)
        let replay = await #expect(throws: SignatureVerificationError.self) {
            try await verifier.verify(attempt(at: 0), at: date)
        }
        _ = try await verifier.verify(attempt(at: 5), at: date)

        expectEqual(replay?.code, .replayed)
    }

    @Test("accepts an attempt that two keys signed once, by either")
    func replayByOtherKey() async throws {
        let secrets = ["A", "B", "B"].map { String(repeating: $0, count: 32) }
        let keys = try secrets.map { try SigningKey(id: "k", webhookSecret: $0) }
        let known = try zip(["new", "old", "old"], secrets).map {
            try VerificationKey(id: $0, webhookSecret: $1)
        }
        let verifier = StandardWebhookVerifier(keys: known, nonces: NonceCache())
        var signed = try StandardWebhookScheme(alsoSigningWith: [keys[1]]).sign(
            .post("https://a.example/", headers: ["webhook-id": "msg_1"], body: "{}"),
            SigningContext(key: keys[0], freshness: SignatureFreshness(date: Date(), nonce: ""))
        )
        _ = try await verifier.verify(signed, at: Date())
        signed.headers["webhook-signature"] = signed.headers["webhook-signature"]?
            .split(separator: " ").last.map(String.init)

        let replay = await #expect(throws: SignatureVerificationError.self) {
            try await verifier.verify(signed, at: Date())
        }

        expectEqual(replay?.code, .replayed)
    }

    @Test("sends each attempt of an event with its id and a time of its own")
    func attempts() throws {
        let sent = try Simulation.run(seed: 1) { simulation in
            let key = try SigningKey(id: "k", webhookSecret: Self.published.secret)
            let receiver = StandardWebhookVerifier(
                keys: [try VerificationKey(id: "k", webhookSecret: Self.published.secret)],
                nonces: NonceCache()
            )
            let transport = ScriptedTransport<HTTP.Request> { request, call in
                _ = try await receiver.verify(request, at: call.runtime.date)
                return HTTP.Response(
                    request.headers["webhook-timestamp"] == "1767225600" ? 503 : 204
                )
            }
            var policy = RetryPolicy<HTTP.Request>.idempotent
            policy.backoff = Backoff(base: .seconds(5), jitter: .none)
            policy.overloadBackoff = policy.backoff
            let client = try HTTP.Client(transport: transport, runtime: simulation.runtime) {
                RetryInterceptor(policy: policy)
                SignInterceptor(RequestSigner(.standardWebhook, key: key))
            }
            _ = try await client.send(
                .post("https://a.example/", headers: ["webhook-id": "msg_1"], body: "{}")
            )
            return transport.sent.map {
                "\($0.input.headers["webhook-id"] ?? "") \($0.input.headers["webhook-timestamp"] ?? "")"
            }
        }

        expectEqual(sent, ["msg_1 1767225600", "msg_1 1767225605"])
    }
}
