import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAWS
import InterceptorKitSigning
import TestSupport
import Testing

@Suite("AWSSignatureV4Verifier, version 4A")
struct SigV4AVerifierTests {
    private let now = Date(timeIntervalSince1970: 1_440_938_160)

    private func scheme(_ region: String) -> AWSSignatureV4 {
        var scheme = AWSSignatureV4(service: "service", region: region)
        scheme.algorithm = .ecdsaP256SHA256
        return scheme
    }

    private func signed() throws -> HTTP.Request {
        let key = SigningKey(id: "AKID", signer: Stamp())
        let context = SigningContext(
            key: key,
            freshness: SignatureFreshness(date: now, nonce: ""),
            bodyHash: HashAlgorithm.sha256.hash([])
        )
        return try scheme("us-east-1,eu-*").sign(.get("https://h.example/"), context)
    }

    private func refusal(
        of request: HTTP.Request,
        in region: String = "us-east-1",
        by stamp: Stamp = Stamp()
    ) async throws -> SignatureVerificationError.Code? {
        let keys = FixedVerificationKeys([VerificationKey(id: "AKID", verifier: stamp)])
        do {
            _ = try await AWSSignatureV4Verifier(scheme(region), keys: keys)
                .verify(request, at: now)
            return nil
        } catch let error as SignatureVerificationError {
            return error.code
        }
    }

    @Test("accepts a signature in the regions it names, and in no others")
    func regions() async throws {
        for region in ["us-east-1", "eu-west-1", "eu-"] {
            try await expectEqual(refusal(of: signed(), in: region), nil, "\(region)")
        }
        for region in ["us-east-2", "us-east", "e", "ap-eu-1"] {
            try await expectEqual(refusal(of: signed(), in: region), .component, "\(region)")
        }
        var twice = try signed()
        twice.headers.append(name: "X-Amz-Region-Set", value: "*")
        try await expectEqual(refusal(of: twice, in: "ap-eu-1"), .malformed)
    }

    @Test("refuses a key of another algorithm")
    func algorithms() async throws {
        let other = Stamp(algorithm: .ed25519)

        try await expectEqual(refusal(of: signed(), by: other), .mismatch)
    }

    @Test("accepts a signature in canonical DER, and in no other encoding")
    func encoding() async throws {
        var request = try signed()
        let field = try unwrap(request.headers["Authorization"])
        let digits = String(try unwrap(field.split(separator: "=").last))
        let length = try unwrap(UInt8(digits.dropFirst(2).prefix(2), radix: 16))
        let longer = "30" + hexadecimal(length + 1) + "02"
        let number = try unwrap(UInt8(digits.dropFirst(6).prefix(2), radix: 16))
        let padded = longer + hexadecimal(number + 1) + "00" + digits.dropFirst(8)

        request.headers["Authorization"] = field.replacing(digits, with: padded)
        try await expectEqual(refusal(of: request), .mismatch)
        for wrong in ["", "zz", "3000", String(digits.dropLast(2)), digits + "00"] {
            request.headers["Authorization"] = field.replacing(digits, with: wrong)
            try await expectTrue(refusal(of: request) != nil, "\(wrong)")
        }
    }

    private func hexadecimal(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16)
        return text.utf8.count < 2 ? "0" + text : text
    }
}

/// Signs with the 64 bytes of a hash, which any key of a pair would not.
private struct Stamp: MessageSigner, MessageVerifier {
    var algorithm = SignatureAlgorithm.ecdsaP256SHA256

    func signature(of message: [UInt8]) throws -> [UInt8] {
        Array(HashAlgorithm.sha512.hash(message))
    }

    func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        signature.elementsEqual(HashAlgorithm.sha512.hash(message))
    }
}
