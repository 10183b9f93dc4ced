import Expectations
import InterceptorKit
import InterceptorKitAWS
import InterceptorKitSigning
import InterceptorKitTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

private let key = SigningKey(id: "app-1", secret: "a secret of thirty-two bytes, all".utf8)
private let keys = FixedVerificationKeys([
    VerificationKey(id: "app-1", secret: "a secret of thirty-two bytes, all".utf8)
])

/// What a scheme's signer sends.
private func signed(
    _ scheme: some SignatureScheme,
    body: HTTP.Body = "amount=1"
) async throws -> HTTP.Request {
    let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200)])
    let client = try HTTP.Client(transport: transport, timeout: nil) {
        SignInterceptor(RequestSigner(scheme, key: key))
    }
    _ = try await client.send(.post("https://shop.example/pay", body: body))
    return try unwrap(transport.sent.first).input
}

private func statuses(
    of requests: [HTTP.Request],
    _ verification: RequestVerification,
    handler: @escaping @Sendable (HTTP.Request) async throws -> Void = { _ in }
) async throws -> [Int] {
    let server = try Pipeline(
        transport: ScriptedTransport<HTTP.Request> { request, _ in
            try await handler(request)
            return HTTP.Response(200)
        }
    ) { VerifyInterceptor(verification) }
    var statuses: [Int] = []
    for request in requests { statuses.append(try await server.run(request).status.code) }
    return statuses
}

@Suite("A delivery that VerifyInterceptor verifies")
struct VerifiedDeliveryTests {
    @Test(
        "is accepted once with a store of nonces, also where a scheme has none",
        arguments: [TemplateScheme.stripe(), .slack, .webhook(), .twilio()]
    )
    func once(scheme: TemplateScheme) async throws {
        let delivery = try await signed(scheme)
        var varied = delivery
        if scheme.isListOfSignatures { varied.headers["Stripe-Signature"]? += ",v1=00" }
        let verification = RequestVerification.template(
            scheme,
            keys: FixedSigningKeys([key]),
            nonces: NonceCache()
        )

        try await expectEqual(statuses(of: [delivery, varied], verification), [200, 401])
    }

    @Test("is refused when its body in memory is not the covered one")
    func changedBody() async throws {
        var message = try await signed(MessageSignatureScheme())
        var stated = try await signed(AWSSignatureV4.s3(region: "us-east-1"))
        message.body = "amount=1000000"
        stated.body = "amount=1000000"
        let verifiers = [
            RequestVerification.messageSignature(
                MessageSignatureVerifier(keys: keys, checksContent: false)
            ),
            .aws(
                AWSSignatureV4Verifier(.s3(region: "us-east-1"), keys: keys, checksContent: false)
            ),
        ]

        try await expectEqual(statuses(of: [message], verifiers[0]), [401])
        try await expectEqual(statuses(of: [stated], verifiers[1]), [401])
        stated.body = .oneShot(
            AsyncStream<Data> {
                $0.yield(Data("amount=2".utf8)); $0.finish()
            }
        )
        await #expect(throws: HTTP.ContentError.self) {
            _ = try await statuses(of: [stated], verifiers[1]) { _ = try await $0.body.collect() }
        }
    }

    @Test("leaves a handler's failure to verify another message to the handler")
    func othersError() async throws {
        let upstream = MessageSignatureVerifier(keys: keys)

        await #expect(throws: SignatureVerificationError.self) {
            _ = try await statuses(
                of: [try await signed(TemplateScheme.slack)],
                .template(.slack, keys: FixedSigningKeys([key]))
            ) { _ in
                _ = try await upstream.verify(
                    .response(HTTP.Response(200), to: .get("https://up.example/")),
                    at: .distantPast
                )
            }
        }
    }

    @Test("is asked of no chain that could accept none")
    func never() {
        let adjacent = TemplateScheme(
            adding: [.field("X-Stamp", "\(.time(.seconds))\(.nonce)")],
            signing: "\(.time(.seconds))\(.nonce)\(.body)",
            with: .hmac(.sha256),
            in: .field("X-Signature", "\(.signature)")
        )
        let unsent = TemplateScheme(
            signing: "\(.nonce).\(.body)",
            with: .hmac(.sha256),
            in: .field("X-Signature", "\(.signature)")
        )
        let signingKeys = FixedSigningKeys([key])
        let verifications: [RequestVerification] = [
            .template(adjacent, keys: signingKeys), .template(unsent, keys: signingKeys),
            .template(.slack, keys: signingKeys, tolerance: .zero),
            .hmac(HMACScheme(), keys: signingKeys, tolerance: .zero),
            .messageSignature(MessageSignatureVerifier(keys: keys, algorithms: [])),
        ]
        for (number, verification) in verifications.enumerated() {
            #expect(throws: (any Error).self, "number \(number)") {
                try VerifyInterceptor(verification).validate()
            }
        }
    }
}
