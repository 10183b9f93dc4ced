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

@Suite("RequestVerification and nonces")
struct RequestVerificationTests {
    private let key = SigningKey(id: "app-1", secret: "s3cret".utf8)

    @Test(
        "refuses a genuine request whose nonce can't be remembered",
        arguments: [
            ("", "missingParameter"), (String(repeating: "n", count: 257), "missingParameter"),
            ("n2", "nonceStoreFull"),
            ("n1", "replayed"),
        ] as [(String, String)]
    )
    func nonces(nonce: String, reason: String) async throws {
        // The nonce is a field that the signature covers.
        let place = TemplateScheme.Addition.field("X-Nonce", "\(.nonce)")
        let scheme = TemplateScheme(
            adding: [nonce.isEmpty ? place.omittedWhenEmpty : place],
            signing: "\(.method) \(.nonce)",
            with: .hmac(.sha256),
            in: .field("X-Signature", "\(.signature)")
        )
        let cache = NonceCache(capacity: 1)
        let date = Date()
        let context = SigningContext(
            key: key,
            freshness: SignatureFreshness(date: date, nonce: nonce)
        )
        let keys = FixedSigningKeys([key])
        let sink = RecordingEventSink()
        let server = try Pipeline(transport: CannedTransport(200), events: sink) {
            VerifyInterceptor(.template(scheme, keys: keys, nonces: cache))
        }
        let expiry = date.addingTimeInterval(600)
        _ = try await cache.note("n1", of: "app-1", until: expiry, at: date)

        let response = try await server.run(scheme.sign(.get(orders), context))

        expectTrue(scheme.isGenuine(try scheme.sign(.get(orders), context), with: key, date: date))
        expectEqual(response.status, 401)
        let refusal = sink.events.first { $0.name == .signatureRefused }
        expectEqual(refusal?.attributes["reason"]?.description, reason)
        expectEqual(cache.count, 1)
    }

    @Test("remembers a nonce of 256 bytes until no clock considers it fresh")
    func longNonce() async throws {
        let nonce = String(repeating: "n", count: 256)
        let scheme = TemplateScheme(
            adding: [.field("X-Nonce", "\(.nonce)")],
            signing: "\(.nonce)",
            with: .hmac(.sha256),
            in: .field("X-Signature", "\(.signature)")
        )
        let store = NotingNonces()
        let keys = FixedSigningKeys([key])
        let (status, now) = try Simulation.run { simulation in
            let context = SigningContext(
                key: key,
                freshness: SignatureFreshness(date: simulation.runtime.date, nonce: nonce)
            )
            let server = try Pipeline(transport: CannedTransport(200), runtime: simulation.runtime)
            {
                VerifyInterceptor(
                    .template(scheme, keys: keys, nonces: store, tolerance: .seconds(60))
                )
            }
            let status = try await server.run(scheme.sign(.get(orders), context)).status
            return (status, simulation.runtime.date)
        }

        expectEqual(status, 200)
        expectEqual(store.notes.entries.map(\.nonce), [nonce])
        expectEqual(store.notes.entries.map(\.expiry), [now.addingTimeInterval(120)])
    }
}

private struct NotingNonces: NonceStore {
    let notes = Recorder<(nonce: String, expiry: Date)>()

    func note(
        _ nonce: String,
        of keyID: String,
        until expiry: Date,
        at date: Date
    ) async throws -> NonceCheckResult {
        notes.note((nonce, expiry))
        return .fresh
    }
}
