import Expectations
import InterceptorKit
import InterceptorKitSigning
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("MessageSignatureVerifier")
struct MessageSignatureVerifierTests: MessageVerifyingSuite {
    @Test("names the signature that it accepted")
    func accepted() async throws {
        let verifier = MessageSignatureVerifier(keys: keys)

        let found = try await verifier.verify(.request(signed()), at: date)

        expectEqual(found.label, "sig")
        expectEqual(found.keyID, "app-1")
        expectEqual(found.algorithm, .hmacSHA256)
        expectEqual(found.parameters.components, [.method, .authority, .path, .query])
    }

    @Test("refuses malformed or changed signature fields")
    func malformed() async throws {
        let request = try signed()
        let input = request.headers["Signature-Input"] ?? ""
        let rows: [(String, String, SignatureVerificationError.Code)] = [
            ("sig=", "other=", .malformed), ("sig=(", "sig=", .malformed),
            ("\"@path\"", "\"@nothing\"", .malformed),
            ("\"@path\"", "\"@path\" \"@path\"", .component),
            ("\"@path\"", "\"@path\" \"x-none\"", .component),
            ("created=1767225600", "created=\"now\"", .malformed),
            (";created=1767225600", "", .missingParameter),
            (";keyid=\"app-1\"", "", .missingParameter),
            ("app-1", "app-9", .unknownKey), ("app-1", "empty", .mismatch),
            ("hmac-sha256", "ed25519", .algorithm), ("nonce=\"n1\"", "nonce=\"n2\"", .mismatch),
        ]

        for (old, new, code) in rows {
            var changed = request
            changed.headers["Signature-Input"] = input.replacing(old, with: new)
            try await expectEqual(refusal(of: changed), code, "\(old) → \(new)")
        }
        var unreadable = request
        unreadable.headers["Signature"] = "sig=(("
        try await expectEqual(refusal(of: unreadable), .malformed)
        var many = request
        let names = (0..<8).map { "s\($0)=()" }.joined(separator: ", ")
        many.headers["Signature-Input"] = "\(input), \(names)"
        try await expectEqual(refusal(of: many), .tooManySignatures)
    }

    @Test("assumes the host and length that the transport will send")
    func implied() async throws {
        let coverage = SignatureCoverage([.method, "host", "content-length"])
        let scheme = MessageSignatureScheme(coverage)
        let verifier = MessageSignatureVerifier(keys: keys, requiring: coverage)
        var request = try signed(.post(orders, body: "{}"), scheme)
        try await expectEqual(refusal(of: request, by: verifier), nil)

        request.headers["Host"] = "api.example.com"
        request.headers["Content-Length"] = "2"
        try await expectEqual(refusal(of: request, by: verifier), nil)

        request.headers["Content-Length"] = "3"
        try await expectEqual(refusal(of: request, by: verifier), .mismatch)
    }

    @Test("accepts one good signature beside others")
    func several() async throws {
        var request = try signed()
        request.headers["Signature-Input"] =
            "odd=(\"@future\"), " + (request.headers["Signature-Input"] ?? "")

        try await expectEqual(refusal(of: request), nil)
    }

    @Test("accepts a nonce once, and only from a genuine signer")
    func replay() async throws {
        let cache = NonceCache()
        let verifier = MessageSignatureVerifier(keys: keys, nonces: cache)
        var forged = try signed(nonce: "n2")
        forged.headers["Signature"] = "sig=:AAAA:"
        let bare = MessageSignatureScheme(
            fulfilling: SignatureRequest(
                label: "sig",
                SignatureParameters([.method, .authority, .path, .query], ["nonce": ""])
            )
        )

        try await expectEqual(refusal(of: forged, by: verifier), .mismatch)
        expectEqual(cache.count, 0)
        try await expectEqual(refusal(of: signed(nonce: "n2"), by: verifier), nil)
        try await expectEqual(refusal(of: signed(nonce: "n2"), by: verifier), .replayed)
        try await expectEqual(refusal(of: signed(nonce: "n3"), by: verifier), nil)
        try await expectEqual(
            refusal(of: signed(.get(orders), bare), by: verifier),
            .missingParameter
        )
        let small = MessageSignatureVerifier(keys: keys, nonces: NonceCache(capacity: 1))
        try await expectEqual(refusal(of: signed(nonce: "n2"), by: small), nil)
        try await expectEqual(refusal(of: signed(nonce: "n3"), by: small), .nonceStoreFull)
    }

    @Test("remembers a nonce until its signature can no longer be accepted")
    func nonceWindow() async throws {
        struct Noting: NonceStore {
            let expiries = Recorder<Date>()

            func note(
                _ nonce: String,
                of keyID: String,
                until expiry: Date,
                at date: Date
            ) async throws -> NonceCheckResult {
                expiries.note(expiry)
                return .fresh
            }
        }
        let store = Noting()
        let verifier = MessageSignatureVerifier(keys: keys, nonces: store)

        try await expectEqual(refusal(of: signed(), by: verifier), nil)

        // Its age, and the clocks' difference on both sides.
        expectEqual(store.expiries.entries, [date.addingTimeInterval(360)])
    }

    @Test("verifies a response together with its request")
    func responses() async throws {
        let request = HTTP.Request.get("https://api.example.com/orders?page=2")
        let coverage = SignatureCoverage.standardResponse
        let response = try HTTP.Response(200, request: request).signed(
            SignatureParameters(
                coverage.components,
                ["created": .integer(1_767_225_600), "keyid": "app-1"]
            ),
            with: key
        )
        let verifier = MessageSignatureVerifier(keys: keys, requiring: coverage)

        try await expectTrue(verifier.isGenuine(.response(response), at: date))
        try await expectTrue(
            !verifier.isGenuine(
                .response(response, to: .get("https://api.example.com/orders?page=3")),
                at: date
            )
        )
        var other = response
        other.status = 204
        try await expectTrue(!verifier.isGenuine(.response(other), at: date))
    }
}
