import Expectations
import Foundation
import InterceptorKit
import InterceptorKitSigning
import InterceptorKitTesting
import Testing

/// After the tests of svix's libraries: three fields with the service's prefix, over the bytes of the specification.
@Suite("Fields of a webhook")
struct WebhookFieldsTests {
    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    private static let date = Date(timeIntervalSince1970: 1_614_265_330)

    private func verifier(_ prefix: String) throws -> StandardWebhookVerifier {
        StandardWebhookVerifier(
            keys: [try VerificationKey(id: "k", webhookSecret: Self.secret)],
            fieldPrefix: prefix
        )
    }

    private func signed(_ prefix: String) throws -> HTTP.Request {
        try StandardWebhookScheme(fieldPrefix: prefix).sign(
            .post(
                "https://a.example/",
                headers: HTTP.Headers([("\(prefix)-id", "msg_p5jXN8AQM9LWM0D4loKWxJek")]),
                body: #"{"test": 2432232314}"#
            ),
            SigningContext(
                key: try SigningKey(id: "k", webhookSecret: Self.secret),
                freshness: SignatureFreshness(date: Self.date, nonce: "")
            )
        )
    }

    @Test("have another prefix for senders and receivers", arguments: ["webhook", "svix", "X-Own"])
    func prefix(_ prefix: String) async throws {
        let scheme = StandardWebhookScheme(fieldPrefix: prefix)

        let signed = try signed(prefix)
        let webhook = try await verifier(prefix.uppercased()).verify(signed, at: Self.date)

        expectEqual(webhook.id, "msg_p5jXN8AQM9LWM0D4loKWxJek")
        expectEqual(
            signed.headers["\(prefix)-signature"],
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        )
        expectEqual(signed.headers["\(prefix)-timestamp"], "1614265330")
        expectEqual(scheme.signatureFields, ["\(prefix)-timestamp", "\(prefix)-signature"])
        expectEqual(scheme.coveredFields(of: signed), ["\(prefix)-id"])
        try StandardWebhookScheme(fieldPrefix: prefix).validate()
    }

    @Test("with another prefix do not count, not even one of them")
    func others() async throws {
        var mixed = try signed("svix")
        mixed.headers["webhook-id"] = mixed.headers["svix-id"]
        mixed.headers["svix-id"] = nil

        for (request, prefix) in [
            (try signed("svix"), "webhook"), (try signed("webhook"), "svix"), (mixed, "svix"),
            (mixed, "webhook"),
        ] {
            let error = await #expect(throws: SignatureVerificationError.self) {
                try await verifier(prefix).verify(request, at: Self.date)
            }
            expectEqual(error?.code, .unsigned)
        }
    }

    @Test(
        "are refused with a prefix that no field can have",
        arguments: ["", "a b", "svix:", "é", "svix-", "-"]
    )
    func invalid(prefix: String) {
        #expect(throws: SettingError.self) {
            try StandardWebhookScheme(fieldPrefix: prefix).validate()
        }
        #expect(throws: PipelineError.self) {
            try Pipeline(transport: ScriptedTransport<HTTP.Request>(replies: [])) {
                VerifyInterceptor(.standardWebhook(try verifier(prefix)))
            }
        }
    }
}
