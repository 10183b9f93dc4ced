import Expectations
import Foundation
import InterceptorKit
import InterceptorKitSigning
import TestRun
import Testing

/// Deliveries with what the specification's libraries say of them: those of the published tests, and those of
/// `Tests/Comparisons/webhooks` if `INTERCEPTORKIT_WEBHOOKS` names its file.
@Suite("Standard Webhooks conformance", .tags(.vectors), .processorBound)
struct StandardWebhooksConformanceTests {
    private struct Row: Decodable {
        var secret: String
        var now: Double
        var fields: [[String]]
        var content: String
        var isAccepted: Bool
        /// What the library signs this delivery with.
        var signature: String?
    }

    /// The tests of the specification's JavaScript library, at the time of its signing example.
    private static let published: [Row] = {
        let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
        let right = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        let wrong = "Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc="
        func row(
            _ isAccepted: Bool,
            secret: String = secret,
            after seconds: Double = 0,
            id: String? = "msg_p5jXN8AQM9LWM0D4loKWxJek",
            timestamp: String? = "1614265330",
            signature: String? = right
        ) -> Row {
            let fields = [
                ("webhook-id", id), ("webhook-timestamp", timestamp),
                ("webhook-signature", signature),
            ]
            return Row(
                secret: secret,
                now: 1_614_265_330 + seconds,
                fields: fields.compactMap { name, value in value.map { [name, $0] } },
                content: #"{"test": 2432232314}"#,
                isAccepted: isAccepted,
                signature: isAccepted ? right : nil
            )
        }
        return [
            row(true), row(true, secret: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"), row(false, id: nil),
            row(false, timestamp: nil), row(false, timestamp: "hello"), row(false, signature: nil),
            row(false, signature: "v1,dawfeoifkpqwoekfpqoekf"),
            row(false, signature: String(right.prefix(8))), row(false, signature: "v1,"),
            row(false, after: 301), row(false, after: -301),
            row(true, signature: "v1,\(wrong) v2,\(wrong) \(right) v1,\(wrong)"),
        ]
    }()

    private func isRight(_ row: Row) async throws -> Bool {
        let key = try VerificationKey(id: "sender", webhookSecret: row.secret)
        var request = HTTP.Request.post("https://hooks.example.com/", body: .text(row.content))
        for field in row.fields { request.headers.append(name: field[0], value: field[1]) }
        let date = Date(timeIntervalSince1970: row.now)
        let verifier = StandardWebhookVerifier(keys: [key])
        let isAccepted = (try? await verifier.verify(request, at: date)) != nil
        guard isAccepted == row.isAccepted, let signature = row.signature else {
            return isAccepted == row.isAccepted
        }
        let timestamp = request.headers["webhook-timestamp"].flatMap(Double.init) ?? 0
        let signed = try StandardWebhookScheme().sign(
            request,
            SigningContext(
                key: try SigningKey(id: "sender", webhookSecret: row.secret),
                freshness: SignatureFreshness(
                    date: Date(timeIntervalSince1970: timestamp),
                    nonce: ""
                )
            )
        )
        return signed.headers["webhook-signature"] == signature
    }

    @Test("judges and signs deliveries as the specification's libraries do")
    func judgements() async throws {
        var rows = Self.published
        if let path = ProcessInfo.processInfo.environment["INTERCEPTORKIT_WEBHOOKS"] {
            let file = try Data(contentsOf: URL(fileURLWithPath: path))
            rows += try file.split(separator: UInt8(ascii: "\n")).map {
                try JSONDecoder().decode(Row.self, from: $0)
            }
        }

        var failed: [Row] = []
        for row in rows where try await !isRight(row) { failed.append(row) }

        print(
            "conformance standard-webhooks: \(rows.count - failed.count) passed, "
                + "\(failed.count) failed, 0 skipped"
        )
        expectTrue(failed.isEmpty, "\(failed.prefix(3))")
    }
}
