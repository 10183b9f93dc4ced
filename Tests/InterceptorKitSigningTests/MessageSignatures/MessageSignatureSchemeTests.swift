import Expectations
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

@Suite("MessageSignatureScheme")
struct MessageSignatureSchemeTests {
    private let key = SigningKey(id: "app-1", secret: "s3cret".utf8)
    private let verifier = MessageSignatureVerifier(
        keys: FixedVerificationKeys([VerificationKey(id: "app-1", secret: "s3cret".utf8)])
    )

    private func sent(
        _ request: HTTP.Request,
        _ scheme: MessageSignatureScheme = MessageSignatureScheme(),
        key: SigningKey? = nil,
        replies: [ScriptStep<HTTP.Request>] = [.status(200)]
    ) throws -> [HTTP.Request] {
        let signer = RequestSigner(scheme, keys: FixedSigningKeys([key ?? self.key]))
        return try Simulation.run { simulation in
            let transport = ScriptedTransport(replies: replies)
            let client = try simulation.client(transport) {
                RetryInterceptor(policy: .steady)
                SignInterceptor(signer)
            }
            _ = try await client.send(request)
            return transport.sent.map(\.input)
        }
    }

    private func input(of request: HTTP.Request?) throws -> SignatureParameters {
        let field = try request?.headers.structuredDictionary("Signature-Input")
        let member = try unwrap(field?.first?.value)
        let list = try HTTP.StructuredField.List([member]).serialized()
        return try SignatureParameters(parsing: list)
    }

    @Test("covers method, authority, path, query, and the body and credentials")
    func coverage() throws {
        let bare = try input(of: try sent(.get(orders)).first)
        let full = try input(
            of: try sent(
                .post(
                    orders,
                    headers: ["Content-Type": "a/b", "Authorization": "Bearer t"],
                    body: "{}"
                )
            ).first
        )

        expectEqual(bare.components, [.method, .authority, .path, .query])
        expectEqual(
            full.components,
            [
                .method, .authority, .path, .query, "content-digest", "content-type",
                "authorization",
            ]
        )
        let eternal = MessageSignatureScheme(lifetime: .seconds(Int64.max))
        try expectTrue(input(of: try sent(.get(orders), eternal).first).expires != nil)
        expectEqual(full.created, 1_767_225_600)
        expectEqual(full.expires, 1_767_225_900)
        expectEqual(full.nonce?.count, 32)
        expectEqual(full.algorithm, .hmacSHA256)
        expectEqual(full.keyID, "app-1")
        expectEqual(full.values.keys, ["created", "expires", "nonce", "alg", "keyid"])
    }

    @Test("refuses to sign beside malformed signature fields")
    func unreadable() throws {
        let broken = HTTP.Request.get(orders, headers: ["Signature-Input": "sig=(("])

        let error = #expect(throws: SigningError.self) { try sent(broken) }

        expectEqual(error?.code, .malformedParameters)
    }

    @Test("refuses to sign a body without its digest")
    func noDigest() {
        let context = SigningContext(
            key: key,
            freshness: SignatureFreshness(date: Simulation.startDate, nonce: "n")
        )

        let error = #expect(throws: SigningError.self) {
            try MessageSignatureScheme().sign(.put(orders, body: "{}"), context)
        }

        expectEqual(error?.code, .unsignableBody)
    }

    @Test(
        "refuses to sign with an invalid label or parameters",
        arguments: [
            ("A B", ["nonce": "a"]), ("sig", ["A B": "a"]), ("sig", ["nonce": "\n"]),
            ("sig", ["nonce": "é"]),
        ] as [(String, HTTP.StructuredField.Parameters)]
    )
    func unwritable(label: String, values: HTTP.StructuredField.Parameters) {
        let parameters = SignatureParameters([.method], values)

        let error = #expect(throws: SigningError.self) {
            try HTTP.Request.get(orders).signed(parameters, label: label, with: key)
        }

        expectEqual(error?.code, .malformedParameters)
    }

    @Test("adds a Content-Digest by the chosen hash, and keeps an existing one")
    func contentDigest() throws {
        let digest = try HTTP.IntegrityDigests(of: "{}".utf8, [.sha512]).serialized()
        let scheme = MessageSignatureScheme(contentDigest: .sha512)
        let own = HTTP.Request.put(
            orders,
            headers: ["Content-Digest": "sha-256=:AAAA:"],
            body: "{}"
        )

        try expectEqual(sent(.put(orders, body: "{}"), scheme)[0].headers["Content-Digest"], digest)
        try expectEqual(sent(own)[0].headers["Content-Digest"], "sha-256=:AAAA:")
        try expectEqual(sent(.get(orders))[0].headers["Content-Digest"], nil)
    }

    @Test("refuses a one-shot body, unless it is declared unsigned")
    func oneShot() throws {
        let body = HTTP.Body.oneShot(AsyncStream<Data> { $0.finish() })
        let unsigned = MessageSignatureScheme(contentDigest: nil)

        let error = #expect(throws: SigningError.self) { try sent(.put(orders, body: body)) }
        expectEqual(error?.code, .unsignableBody)
        try expectEqual(
            input(of: try sent(.put(orders, body: body), unsigned).first).components,
            [.method, .authority, .path, .query, "content-type"]
        )
    }

    @Test("sends nothing that lacks a component to cover")
    func missingField() throws {
        let scheme = MessageSignatureScheme(SignatureCoverage([.method, "x-tenant"]))

        let error = #expect(throws: SigningError.self) { try sent(.get(orders), scheme) }
        expectEqual(error?.code, .missingField)
        expectEqual(error?.message.contains("x-tenant"), true)
        try expectEqual(sent(.get(orders, headers: ["X-Tenant": ""]), scheme).count, 1)
    }

    @Test("signs every attempt again, so that a late one verifies")
    func everyAttempt() async throws {
        let late = ScriptStep<HTTP.Request>.status(503).delayed(by: .seconds(360))

        let signed = try sent(.get(orders), replies: [late, .status(200)])

        let end = Simulation.startDate.addingTimeInterval(361)
        try await expectTrue(verifier.isGenuine(.request(signed[0]), at: Simulation.startDate))
        try await expectTrue(!verifier.isGenuine(.request(signed[0]), at: end))
        try await expectTrue(verifier.isGenuine(.request(signed[1]), at: end))
        try expectTrue(input(of: signed[0]).nonce != input(of: signed[1]).nonce)
    }

    @Test("adds its signature beside the existing ones, and replaces none")
    func labels() throws {
        let scheme = MessageSignatureScheme(label: "proxy")
        let first = try unwrap(sent(.get(orders)).first)

        let second = try unwrap(sent(first, scheme).first)

        let labels = try second.headers.structuredDictionary("Signature")?.keys
        expectEqual(labels, ["sig", "proxy"])
        let error = #expect(throws: SigningError.self) { try sent(first) }
        expectEqual(error?.code, .labelInUse)
    }

    @Test("writes no Accept-Signature with an invalid label or parameters")
    func unwritableRequests() {
        let parameters = SignatureParameters([.method])
        let nonce = SignatureParameters([.method], ["nonce": "é"])

        for signatureRequest in [
            SignatureRequest(label: "A B", parameters), SignatureRequest(label: "a", nonce),
        ] {
            let error = #expect(throws: SigningError.self) {
                try SignatureRequest.serialized([signatureRequest])
            }
            expectEqual(error?.code, .malformedParameters)
        }
    }

    @Test("signs with a private key by its algorithm")
    func signer() throws {
        let key = SigningKey(id: "pair", signer: Checksum())

        let signed = try unwrap(sent(.get(orders), key: key).first)

        try expectEqual(input(of: signed).algorithm, Checksum().algorithm)
        let base = try SignableMessage.request(signed).signatureBase(input(of: signed))
        let signature = try signed.headers.structuredDictionary("Signature")?["sig"]?.value?.bytes
        expectEqual(signature, Checksum().signature(of: Array(base.utf8)))
    }

    @Test("signs as Accept-Signature asks, or says why not")
    func signatureRequests() async throws {
        let response = HTTP.Response(
            401,
            headers: [
                "Accept-Signature":
                    #"s2=("@method" "@target-uri" "content-digest");created;expires;nonce="n1";tag="t""#
            ]
        )
        let signatureRequest = try unwrap(SignatureRequest.parse(response.headers).first)
        let scheme = MessageSignatureScheme(fulfilling: signatureRequest, lifetime: .seconds(60))

        let signed = try unwrap(sent(.put(orders, body: "{}"), scheme).first)

        let input = try input(of: signed)
        expectEqual(signed.headers["Signature-Input"]?.hasPrefix("s2=("), true)
        expectEqual(input.components, [.method, .targetURI, "content-digest"])
        expectEqual(input.nonce, "n1")
        expectEqual(input.tag, "t")
        expectEqual(input.expires, 1_767_225_660)
        for other in [#"a=();keyid="app-9""#, #"a=();alg="ed25519""#] {
            let signatureRequest = try unwrap(
                SignatureRequest.parse(["Accept-Signature": other]).first
            )
            let error = #expect(throws: SigningError.self) {
                try sent(.get(orders), MessageSignatureScheme(fulfilling: signatureRequest))
            }
            expectEqual(error?.code, .unfulfillable)
        }
        #expect(throws: SigningError.self) {
            try SignatureRequest.parse(["Accept-Signature": "a=();nonce"])
        }
        try expectEqual(
            SignatureRequest.serialized([signatureRequest]),
            response.headers["Accept-Signature"]
        )
    }

    @Test("is refused when a pipeline is built if it is invalid")
    func invalid() {
        for scheme in [
            MessageSignatureScheme(label: "A B"),
            MessageSignatureScheme(contentDigest: .md5),
            MessageSignatureScheme(SignatureCoverage([.method, .method])),
            MessageSignatureScheme(SignatureCoverage(["a b"])),
            MessageSignatureScheme(SignatureCoverage([MessageComponent.path.key("a")])),
            MessageSignatureScheme(
                SignatureCoverage([MessageComponent.field("x").bytes.structured])
            ),
        ] {
            let error = #expect(throws: PipelineError.self) {
                try Pipeline(transport: Discarding()) {
                    SignInterceptor(RequestSigner(scheme, keys: FixedSigningKeys([key])))
                }
            }
            expectTrue(error?.cause is SigningError)
        }
    }
}

/// Stands for a private key.
private struct Checksum: MessageSigner {
    var algorithm: SignatureAlgorithm { SignatureAlgorithm("sum") }
    func signature(of message: [UInt8]) -> [UInt8] { [message.reduce(0, &+)] }
}
