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

@Suite("Standard Webhooks with several keys")
struct StandardWebhookKeysTests {
    private static let secret = String(repeating: "A", count: 32)

    private func signed(with secret: String) throws -> HTTP.Request {
        try StandardWebhookScheme().sign(
            .post("https://a.example/", headers: ["webhook-id": "msg_1"], body: "{}"),
            SigningContext(
                key: try SigningKey(id: "k", webhookSecret: secret),
                freshness: SignatureFreshness(date: Date(), nonce: "")
            )
        )
    }

    @Test("notes a delivery for all keys in one order")
    func orderOfNotes() async throws {
        struct Notes: NonceStore {
            let noted = Recorder<String>()

            func note(
                _ nonce: String,
                of keyID: String,
                until expiry: Date,
                at date: Date
            ) async throws -> NonceCheckResult {
                noted.note(keyID)
                return .fresh
            }
        }
        let ids = (0..<8).map { "key-\($0)" }
        let keys = try ids.reversed().map {
            try VerificationKey(id: $0, webhookSecret: Self.secret)
        }
        let notes = Notes()

        let signed = try signed(with: Self.secret)
        _ = try await StandardWebhookVerifier(keys: keys, nonces: notes).verify(signed, at: Date())

        expectEqual(notes.noted.entries, ids)
    }

    @Test("knows a sender by one name, whichever of its keys it signs with")
    func sender() async throws {
        let secrets = ["A", "B"].map { String(repeating: $0, count: 32) }
        let verifier = StandardWebhookVerifier(
            keys: try zip(["old", "new"], secrets).map {
                try VerificationKey(id: $0, webhookSecret: $1)
            }
        )
        let senders = Recorder<String?>()
        let server = try Pipeline(
            transport: ScriptedTransport<HTTP.Request> { _, call in
                senders.note(call.principal?.subject)
                return HTTP.Response(204)
            }
        ) {
            VerifyInterceptor(.standardWebhook(verifier))
        }

        for secret in secrets {
            _ = try await server.run(signed(with: secret))
        }

        expectEqual(senders.entries, ["old", "old"])
    }
}
