import Foundation
import InterceptorKit
import InterceptorKitSigning
import TestSupport
import Testing

@Suite("AWSSignatureV4Verifier")
struct AWSSignatureV4VerifierTests {
    private static let secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
    private let now = Date(timeIntervalSince1970: 1_440_938_160)
    private let scheme = AWSSignatureV4(service: "service", region: "us-east-1")

    private func keys(token: String? = nil) -> FixedVerificationKeys {
        var key = VerificationKey(id: "AKIDEXAMPLE", secret: Self.secret.utf8)
        key.token = token
        return FixedVerificationKeys([key, VerificationKey(id: "EMPTY", secret: "".utf8)])
    }

    private func context(_ id: String = "AKIDEXAMPLE", token: String? = nil) -> SigningContext {
        var key = SigningKey(id: id, secret: Self.secret.utf8)
        key.token = token
        return SigningContext(key: key, freshness: SignatureFreshness(date: now, nonce: ""))
    }

    private func signed(
        _ scheme: AWSSignatureV4? = nil,
        _ request: HTTP.Request = .post("https://h.example/a?b=c", body: "content"),
        token: String? = nil
    ) throws -> HTTP.Request {
        try (scheme ?? self.scheme).sign(request, context(token: token))
    }

    private func refusal(
        of request: HTTP.Request,
        by scheme: AWSSignatureV4? = nil,
        after seconds: TimeInterval = 0,
        token: String? = nil
    ) async throws -> SignatureRefusal.Code? {
        let verifier = AWSSignatureV4Verifier(scheme ?? self.scheme, keys: keys(token: token))
        do {
            _ = try await verifier.verify(request, at: now.addingTimeInterval(seconds))
            return nil
        } catch let error as SignatureRefusal {
            return error.code
        }
    }

    @Test("names the signer of a request, its date and the covered parts")
    func field() async throws {
        let request = try signed()

        let signature = try await AWSSignatureV4Verifier(scheme, keys: keys())
            .verify(request, at: now)

        #expect(signature.keyID == "AKIDEXAMPLE")
        #expect(signature.date == now)
        #expect(signature.expiry == nil)
        #expect(signature.coveredFields == ["host", "x-amz-date"])
        #expect(signature.content.inMemory == Data("content".utf8))
    }

    @Test("accepts a presigned URL until it expires, from any client")
    func presigned() async throws {
        var scheme = AWSSignatureV4.s3(region: "us-east-1")
        let url = try scheme.presignedURL(
            for: .put("https://h.example/a%20b?x=y", body: ""),
            context(),
            validFor: .seconds(900)
        )
        let request = HTTP.Request.put(
            url,
            headers: ["Content-Type": "text/plain", "User-Agent": "any"],
            body: "any content"
        )

        let signature = try await AWSSignatureV4Verifier(scheme, keys: keys())
            .verify(request, at: now)

        #expect(signature.expiry == now.addingTimeInterval(900))
        #expect(try await refusal(of: request, by: scheme, after: 900) == nil)
        #expect(try await refusal(of: request, by: scheme, after: 901) == .expired)
        #expect(try await refusal(of: request, by: scheme, after: -301) == .notYetValid)
        scheme.presignsPayload = true
        #expect(try await refusal(of: request, by: scheme) == .mismatch)
        let short = AWSSignatureV4Verifier(
            .s3(region: "us-east-1"),
            keys: keys(),
            maximumLifetime: .seconds(899)
        )
        await #expect(throws: SignatureRefusal.self) { try await short.verify(request, at: now) }
    }

    @Test("refuses a signature of another time, scope, key or algorithm")
    func claims() async throws {
        let request = try signed()
        var asymmetric = scheme
        asymmetric.algorithm = .ecdsaP256SHA256

        #expect(try await refusal(of: request, after: 300) == nil)
        #expect(try await refusal(of: request, after: 301) == .tooOld)
        #expect(try await refusal(of: request, after: -301) == .notYetValid)
        for (service, region) in [("service", "eu-west-1"), ("other", "us-east-1")] {
            let other = AWSSignatureV4(service: service, region: region)
            #expect(try await refusal(of: request, by: other) == .component)
        }
        for id in ["UNKNOWN", "EMPTY"] {
            let request = try scheme.sign(.get("https://h.example/"), context(id))
            #expect(try await refusal(of: request) == (id == "EMPTY" ? .mismatch : .unknownKey))
        }
        let emptySecret = SigningKey(id: "EMPTY", secret: "".utf8)
        let derived = try scheme.derivedKey(from: emptySecret, context().freshness)
        let forged = HashAlgorithm.sha256.authenticationCode(
            of: try scheme.explain(.get("https://h.example/"), context("EMPTY")).stringToSign.utf8,
            key: derived
        )
        var empty = try scheme.sign(.get("https://h.example/"), context("EMPTY"))
        empty.headers["Authorization"] = empty.headers["Authorization"]?
            .replacing(signature(of: empty) ?? "", with: forged.hexadecimal)
        #expect(signature(of: empty) == forged.hexadecimal)
        #expect(try await refusal(of: empty) == .mismatch)
        #expect(try await refusal(of: request, by: asymmetric) == .unsigned)
        #expect(try await refusal(of: .get("https://h.example/")) == .unsigned)
    }

    @Test("refuses a signature if the key is of another kind")
    func otherKind() async throws {
        let key = VerificationKey(id: "AKIDEXAMPLE", verifier: Credulous())
        let verifier = AWSSignatureV4Verifier(scheme, keys: FixedVerificationKeys([key]))

        let error = await #expect(throws: SignatureRefusal.self) {
            try await verifier.verify(signed(), at: now)
        }

        #expect(error?.code == .mismatch)
    }

    @Test("refuses a body that isn't the covered one, or isn't covered")
    func content() async throws {
        let s3 = AWSSignatureV4.s3(region: "us-east-1")
        var request = try signed()
        request.body = "Content"
        #expect(try await refusal(of: request) == .mismatch)

        request = try signed(s3)
        #expect(try await refusal(of: request, by: s3) == nil)
        request.body = "Content"
        #expect(try await refusal(of: request, by: s3) == .content)

        request = try signed(.s3(region: "us-east-1", payload: .unsigned))
        #expect(try await refusal(of: request, by: s3) == .content)
        #expect(
            try await refusal(of: request, by: .s3(region: "us-east-1", payload: .unsigned)) == nil
        )

        request = try signed(s3)
        request.body = .oneShot(AsyncStream<Data> { $0.finish() })
        #expect(try await refusal(of: request, by: s3) == .content)
        let trusting = AWSSignatureV4Verifier(s3, keys: keys(), checksContent: false)
        #expect(try await trusting.isGenuine(request, at: now))
    }

    @Test("refuses a body whose coverage is stated twice or wrongly")
    func statedHashes() async throws {
        let chunked = AWSSignatureV4.s3(region: "us-east-1", payload: .chunked(size: 8192))
        var twice = try signed(.s3(region: "us-east-1"))
        twice.headers.append("X-Amz-Content-Sha256", String(repeating: "0", count: 64))
        let url = try AWSSignatureV4.s3(region: "us-east-1").presignedURL(
            for: .put("https://h.example/a"),
            context(),
            validFor: .seconds(60)
        )
        let presigned = HTTP.Request.put(
            url,
            headers: ["X-Amz-Content-Sha256": "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"]
        )

        #expect(try await refusal(of: twice, by: .s3(region: "us-east-1")) == .malformed)
        #expect(try await refusal(of: presigned, by: chunked) == .content)
    }

    @Test(
        "refuses a presigned URL without a lifetime of up to six digits",
        arguments: ["", "+60", "-60", "0000060", "6e1", "99999999999999999999"]
    )
    func lifetimes(_ text: String) async throws {
        let url = try scheme.presignedURL(
            for: .get("https://h.example/"),
            context(),
            validFor: .seconds(60)
        )
        let changed = url.text.replacing(
            "X-Amz-Expires=60",
            with: "X-Amz-Expires=\(text.replacing("+", with: "%2B"))"
        )
        var endless = scheme
        endless.location = .query(validFor: .zero)

        #expect(try await refusal(of: .get(HTTP.URL(changed))) == .malformed)
        let never = try endless.sign(.get("https://h.example/"), context())
        #expect(try await refusal(of: never) == .expired)
    }

    @Test("refuses significant fields uncovered, and covered ones missing")
    func fields() async throws {
        let request = try signed()

        for name in ["X-Amz-Acl", "Content-Type", "x-amz-meta-Note"] {
            var changed = request
            changed.headers[name] = "added"
            #expect(try await refusal(of: changed) == .uncovered, "\(name)")
        }
        for list in ["x-amz-date", "x-amz-date;host", "host;host;x-amz-date", "host;x;x-amz-date"] {
            var changed = request
            changed.headers["Authorization"] = request.headers["Authorization"]?
                .replacing("host;x-amz-date", with: list)
            #expect(try await refusal(of: changed) == .component, "\(list)")
        }
        var removed = request
        removed.headers["X-Amz-Date"] = nil
        #expect(try await refusal(of: removed) == .malformed)
    }

    @Test("requires the session token of a temporary key", arguments: [true, false])
    func token(isCovered: Bool) async throws {
        var scheme = scheme
        scheme.signsToken = isCovered
        let request = try signed(scheme, token: "token")

        #expect(try await refusal(of: request, by: scheme, token: "token") == nil)
        #expect(try await refusal(of: request, by: scheme, token: "other") == .mismatch)
        let without = try signed(scheme)
        #expect(try await refusal(of: without, by: scheme, token: "token") == .mismatch)
        let url = try scheme.presignedURL(
            for: .get("https://h.example/"),
            context(token: "to/ken"),
            validFor: .seconds(60)
        )
        #expect(try await refusal(of: .get(url), by: scheme, token: "to/ken") == nil)
        #expect(try await refusal(of: .get(url), by: scheme, token: "token") == .mismatch)
    }

    @Test(
        "refuses malformed fields, and signatures in two places",
        arguments: [
            "AWS4-HMAC-SHA256", "AWS4-HMAC-SHA256 ", "AWS4-HMAC-SHA256 Credential=a/b",
            "AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=host, Signature=",
            "AWS4-HMAC-SHA256 Credential=a, SignedHeaders=host, Signature=00",
            "AWS4-HMAC-SHA256 Credential=/b, SignedHeaders=host, Signature=00",
            "AWS4-HMAC-SHA256 Credential=a/b, Credential=a/b, SignedHeaders=host, Signature=00",
            "AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=host, Signature=00, More=1",
            "AWS4-HMAC-SHA256X Credential=a/b, SignedHeaders=host, Signature=00",
        ]
    )
    func malformed(_ field: String) async throws {
        var request = try signed()
        request.headers["Authorization"] = field
        #expect(try await refusal(of: request) != nil)

        var twice = try signed()
        twice.headers.append("Authorization", twice.headers["Authorization"] ?? "")
        #expect(try await refusal(of: twice) == .malformed)
        let url = try scheme.presignedURL(
            for: .get("https://h.example/"),
            context(),
            validFor: .seconds(60)
        )
        var both = try signed()
        both.url = url
        #expect(try await refusal(of: both) == .malformed)
        let repeated = HTTP.Request.get(url.appending(query: [("X-Amz-Expires", "60")]))
        #expect(try await refusal(of: repeated) == .malformed)
    }

    @Test("shows neither signatures nor secrets in refusals")
    func silence() async throws {
        var request = try signed()
        request.method = .put

        let error = await #expect(throws: SignatureRefusal.self) {
            try await AWSSignatureV4Verifier(scheme, keys: keys()).verify(request, at: now)
        }

        #expect(error?.code == .mismatch)
        #expect(error?.message.contains(signature(of: request) ?? "") == false)
        #expect(error?.message.contains(Self.secret) == false)
    }

    @Test("rethrows an error of the key store")
    func stores() async throws {
        struct Failing: VerificationKeyStore {
            func verificationKey(id: String) async throws -> VerificationKey? {
                throw CancellationError()
            }
        }
        let verifier = AWSSignatureV4Verifier(scheme, keys: Failing())
        let request = try signed()

        await #expect(throws: CancellationError.self) {
            try await verifier.isGenuine(request, at: now)
        }
    }
}

/// Takes everything for signed.
private struct Credulous: MessageVerifier {
    var algorithm: SignatureAlgorithm { .ecdsaP256SHA256 }

    func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool { true }
}
