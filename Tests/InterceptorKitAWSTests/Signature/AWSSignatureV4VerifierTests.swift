import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAWS
import InterceptorKitSigning
import TestSupport
import Testing

@Suite("AWSSignatureV4Verifier")
struct AWSSignatureV4VerifierTests: SigV4VerifyingSuite {
    @Test("names the signer of a request, its date and the covered parts")
    func field() async throws {
        let request = try signed()

        let signature = try await AWSSignatureV4Verifier(scheme, keys: keys())
            .verify(request, at: now)

        expectEqual(signature.keyID, "AKIDEXAMPLE")
        expectEqual(signature.date, now)
        expectEqual(signature.expiry, nil)
        expectEqual(signature.coveredFields, ["host", "x-amz-date"])
        expectEqual(signature.content.inMemory, Data("content".utf8))
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

        expectEqual(signature.expiry, now.addingTimeInterval(900))
        try await expectEqual(refusal(of: request, by: scheme, after: 900), nil)
        try await expectEqual(refusal(of: request, by: scheme, after: 901), .expired)
        try await expectEqual(refusal(of: request, by: scheme, after: -301), .notYetValid)
        scheme.presignsPayload = true
        try await expectEqual(refusal(of: request, by: scheme), .mismatch)
        let short = AWSSignatureV4Verifier(
            .s3(region: "us-east-1"),
            keys: keys(),
            maximumLifetime: .seconds(899)
        )
        await #expect(throws: SignatureVerificationError.self) {
            try await short.verify(request, at: now)
        }
    }

    @Test("refuses a signature of another time, scope, key or algorithm")
    func parsedSignatures() async throws {
        let request = try signed()
        var asymmetric = scheme
        asymmetric.algorithm = .ecdsaP256SHA256

        try await expectEqual(refusal(of: request, after: 300), nil)
        try await expectEqual(refusal(of: request, after: 301), .tooOld)
        try await expectEqual(refusal(of: request, after: -301), .notYetValid)
        for (service, region) in [("service", "eu-west-1"), ("other", "us-east-1")] {
            let other = AWSSignatureV4(service: service, region: region)
            try await expectEqual(refusal(of: request, by: other), .component)
        }
        for id in ["UNKNOWN", "EMPTY"] {
            let request = try scheme.sign(.get("https://h.example/"), context(id))
            try await expectEqual(refusal(of: request), (id == "EMPTY" ? .mismatch : .unknownKey))
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
        expectEqual(signature(of: empty), forged.hexadecimal)
        try await expectEqual(refusal(of: empty), .mismatch)
        try await expectEqual(refusal(of: request, by: asymmetric), .unsigned)
        try await expectEqual(refusal(of: .get("https://h.example/")), .unsigned)
    }

    @Test("refuses a signature if the key is of another kind")
    func otherKind() async throws {
        let key = VerificationKey(id: "AKIDEXAMPLE", verifier: Credulous())
        let verifier = AWSSignatureV4Verifier(scheme, keys: FixedVerificationKeys([key]))

        let error = await #expect(throws: SignatureVerificationError.self) {
            try await verifier.verify(signed(), at: now)
        }

        expectEqual(error?.code, .mismatch)
    }

    @Test("requires the session token of a temporary key", arguments: [true, false])
    func token(isCovered: Bool) async throws {
        var scheme = scheme
        scheme.signsToken = isCovered
        let request = try signed(scheme, token: "token")

        try await expectEqual(refusal(of: request, by: scheme, token: "token"), nil)
        try await expectEqual(refusal(of: request, by: scheme, token: "other"), .mismatch)
        let without = try signed(scheme)
        try await expectEqual(refusal(of: without, by: scheme, token: "token"), .mismatch)
        let url = try scheme.presignedURL(
            for: .get("https://h.example/"),
            context(token: "to/ken"),
            validFor: .seconds(60)
        )
        try await expectEqual(refusal(of: .get(url), by: scheme, token: "to/ken"), nil)
        try await expectEqual(refusal(of: .get(url), by: scheme, token: "token"), .mismatch)
    }

    @Test("shows neither signatures nor secrets in refusals")
    func silence() async throws {
        var request = try signed()
        request.method = .put

        let error = await #expect(throws: SignatureVerificationError.self) {
            try await AWSSignatureV4Verifier(scheme, keys: keys()).verify(request, at: now)
        }

        expectEqual(error?.code, .mismatch)
        expectEqual(error?.message.contains(signature(of: request) ?? ""), false)
        expectEqual(error?.message.contains(Self.secret), false)
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
