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
struct MessageSignatureVerifierTests {
    private let date = Date(timeIntervalSince1970: 1_767_225_600)
    private let key = SigningKey(id: "app-1", secret: "s3cret".utf8)
    private let keys = FixedVerificationKeys([
        VerificationKey(id: "app-1", secret: "s3cret".utf8),
        VerificationKey(id: "empty", secret: []),
    ])

    private func signed(
        _ request: HTTP.Request = .get(orders),
        _ scheme: MessageSignatureScheme = MessageSignatureScheme(),
        nonce: String = "n1"
    ) throws -> HTTP.Request {
        let context = SigningContext(
            key: key,
            freshness: SignatureFreshness(date: date, nonce: nonce),
            bodyHash: scheme.bodyHash(for: request).map { $0.hash(request.body.inMemory ?? Data()) }
        )
        return try scheme.sign(request, context)
    }

    /// Why a request is refused; `nil` if it is accepted.
    private func refusal(
        of request: HTTP.Request,
        by verifier: MessageSignatureVerifier? = nil,
        after seconds: Double = 0
    ) async throws -> SignatureRefusal.Code? {
        let verifier = verifier ?? MessageSignatureVerifier(keys: keys)
        let message = SignableMessage.request(request)
        let now = date.addingTimeInterval(seconds)
        do {
            _ = try await verifier.verify(message, at: now)
            return nil
        } catch let error as SignatureRefusal {
            #expect(!error.message.contains("s3cret"))
            return error.code
        }
    }

    @Test("names the signature that it accepted")
    func accepted() async throws {
        let verifier = MessageSignatureVerifier(keys: keys)

        let found = try await verifier.verify(.request(signed()), at: date)

        #expect(found.label == "sig")
        #expect(found.keyID == "app-1")
        #expect(found.algorithm == .hmacSHA256)
        #expect(found.parameters.components == [.method, .authority, .path, .query])
    }

    @Test("accepts a signature within its time window, with a clock tolerance")
    func window() async throws {
        let endless = try signed(.get(orders), MessageSignatureScheme(lifetime: nil))
        let short = try signed(.get(orders), MessageSignatureScheme(lifetime: .seconds(10)))

        #expect(try await refusal(of: endless, after: 330) == nil)
        #expect(try await refusal(of: endless, after: 331) == .tooOld)
        #expect(try await refusal(of: endless, after: -30) == nil)
        #expect(try await refusal(of: endless, after: -31) == .notYetValid)
        #expect(try await refusal(of: short, after: 40) == nil)
        #expect(try await refusal(of: short, after: 41) == .expired)
    }

    @Test("refuses too little coverage, another tag and another algorithm")
    func requirements() async throws {
        let narrow = MessageSignatureScheme(SignatureCoverage([.method]))
        let tagged = try signed(.get(orders), MessageSignatureScheme(tag: "orders"))
        let ed25519 = MessageSignatureVerifier(keys: keys, algorithms: [.ed25519])

        #expect(try await refusal(of: .get(orders)) == .unsigned)
        #expect(try await refusal(of: signed(.get(orders), narrow)) == .uncovered)
        #expect(try await refusal(of: signed(), by: ed25519) == .algorithm)
        for (tag, expected) in [("orders", nil), ("other", .unsigned)]
            as [(String, SignatureRefusal.Code?)]
        {
            let verifier = MessageSignatureVerifier(keys: keys, tag: tag)
            #expect(try await refusal(of: tagged, by: verifier) == expected)
        }
        for (label, expected) in [("sig", nil), ("other", .unsigned)]
            as [(String, SignatureRefusal.Code?)]
        {
            let verifier = MessageSignatureVerifier(keys: keys, label: label)
            #expect(try await refusal(of: tagged, by: verifier) == expected)
        }
    }

    @Test("refuses a body without a covered digest, or with a wrong one")
    func content() async throws {
        let post = HTTP.Request.post(orders, body: "{}")
        let bare = MessageSignatureScheme(SignatureCoverage([.method, .authority, .path, .query]))
        var changed = try signed(post)
        changed.body = "[]"
        var stream = try signed(post)
        stream.body = .oneShot(AsyncStream<Data> { $0.finish() })
        let unchecked = MessageSignatureVerifier(keys: keys, checksContent: false)

        #expect(try await refusal(of: signed(post)) == nil)
        #expect(try await refusal(of: signed(post, bare)) == .uncovered)
        #expect(try await refusal(of: changed) == .content)
        #expect(try await refusal(of: stream) == .content)
        #expect(try await refusal(of: stream, by: unchecked) == nil)
    }

    @Test("refuses malformed or changed signature fields")
    func malformed() async throws {
        let request = try signed()
        let input = request.headers["Signature-Input"] ?? ""
        let rows: [(String, String, SignatureRefusal.Code)] = [
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
            #expect(try await refusal(of: changed) == code, "\(old) → \(new)")
        }
        var unreadable = request
        unreadable.headers["Signature"] = "sig=(("
        #expect(try await refusal(of: unreadable) == .malformed)
        var many = request
        let names = (0..<8).map { "s\($0)=()" }.joined(separator: ", ")
        many.headers["Signature-Input"] = "\(input), \(names)"
        #expect(try await refusal(of: many) == .tooManySignatures)
    }

    @Test("assumes the host and length that the transport will send")
    func implied() async throws {
        let coverage = SignatureCoverage([.method, "host", "content-length"])
        let scheme = MessageSignatureScheme(coverage)
        let verifier = MessageSignatureVerifier(keys: keys, requiring: coverage)
        var request = try signed(.post(orders, body: "{}"), scheme)
        #expect(try await refusal(of: request, by: verifier) == nil)

        request.headers["Host"] = "api.example.com"
        request.headers["Content-Length"] = "2"
        #expect(try await refusal(of: request, by: verifier) == nil)

        request.headers["Content-Length"] = "3"
        #expect(try await refusal(of: request, by: verifier) == .mismatch)
    }

    @Test("accepts one good signature beside others")
    func several() async throws {
        var request = try signed()
        request.headers["Signature-Input"] =
            "odd=(\"@future\"), " + (request.headers["Signature-Input"] ?? "")

        #expect(try await refusal(of: request) == nil)
    }

    @Test("accepts a nonce once, and only from a genuine signer")
    func replay() async throws {
        let cache = NonceCache()
        let verifier = MessageSignatureVerifier(keys: keys, nonces: cache)
        var forged = try signed(nonce: "n2")
        forged.headers["Signature"] = "sig=:AAAA:"
        let bare = MessageSignatureScheme(
            fulfilling: SignatureDemand(
                label: "sig",
                SignatureParameters([.method, .authority, .path, .query], ["nonce": ""])
            )
        )

        #expect(try await refusal(of: forged, by: verifier) == .mismatch)
        #expect(cache.count == 0)
        #expect(try await refusal(of: signed(nonce: "n2"), by: verifier) == nil)
        #expect(try await refusal(of: signed(nonce: "n2"), by: verifier) == .replayed)
        #expect(try await refusal(of: signed(nonce: "n3"), by: verifier) == nil)
        #expect(
            try await refusal(of: signed(.get(orders), bare), by: verifier) == .missingParameter
        )
        let small = MessageSignatureVerifier(keys: keys, nonces: NonceCache(capacity: 1))
        #expect(try await refusal(of: signed(nonce: "n2"), by: small) == nil)
        #expect(try await refusal(of: signed(nonce: "n3"), by: small) == .nonceStoreFull)
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
            ) async throws -> NonceVerdict {
                expiries.note(expiry)
                return .fresh
            }
        }
        let store = Noting()
        let verifier = MessageSignatureVerifier(keys: keys, nonces: store)

        #expect(try await refusal(of: signed(), by: verifier) == nil)

        // Its age, and the clocks' difference on both sides.
        #expect(store.expiries.entries == [date.addingTimeInterval(360)])
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

        #expect(try await verifier.isGenuine(.response(response), at: date))
        #expect(
            try await !verifier.isGenuine(
                .response(response, to: .get("https://api.example.com/orders?page=3")),
                at: date
            )
        )
        var other = response
        other.status = 204
        #expect(try await !verifier.isGenuine(.response(other), at: date))
    }

    @Test("accepts no signature made with an empty secret")
    func emptySecret() {
        let key = VerificationKey(id: "app-1", secret: [])
        let signature = HashAlgorithm.sha256.authenticationCode(of: [1], key: [])

        #expect(!key.isValid(Array(signature), for: [1]))
    }

    @Test("shows no secret of a key in any description")
    func redaction() {
        let key = VerificationKey(id: "app-1", secret: "s3cret".utf8)
        var dumped = ""
        dump(key, to: &dumped)

        for text in ["\(key)", String(reflecting: key), dumped] {
            #expect(!text.contains("s3cret") && !text.contains("115"))
        }
    }
}
