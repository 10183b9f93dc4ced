#if Crypto
import Crypto
public import InterceptorKit
public import InterceptorKitSigning

extension SigningKey {
    /// Creates the P-256 key that AWS Signature Version 4A derives from a secret access key
    /// (`AWSSignatureV4.Algorithm.ecdsaP256SHA256`).
    ///
    /// The derivation takes some microseconds and a multiplication on the curve, so keep the key.
    /// - Parameters:
    ///   - accessKeyID: The access key's id, which becomes the id of the new key.
    ///   - secretAccessKey: The bytes of the secret access key; for a string, its UTF-8.
    ///   - token: The session token of temporary credentials. Defaults to none.
    /// - Throws: `SigningError` for an empty secret.
    public static func sigV4A(
        accessKeyID: String,
        secretAccessKey: some Sequence<UInt8>,
        token: String? = nil
    ) throws(SigningError) -> SigningKey {
        let key = try SigV4AKey(accessKeyID, Array(secretAccessKey)).key
        var signing = SigningKey(id: accessKeyID, p256: key)
        signing.token = token
        return signing
    }
}

extension VerificationKey {
    /// Creates the public key that AWS Signature Version 4A derives from a secret access key, for servers with the
    /// secret.
    /// - Parameters:
    ///   - accessKeyID: The access key's id, which becomes the id of the new key.
    ///   - secretAccessKey: The bytes of the secret access key; for a string, its UTF-8.
    ///   - token: The session token of temporary credentials. Defaults to none.
    /// - Throws: `SigningError` for an empty secret.
    public static func sigV4A(
        accessKeyID: String,
        secretAccessKey: some Sequence<UInt8>,
        token: String? = nil
    ) throws(SigningError) -> VerificationKey {
        let key = try SigV4AKey(accessKeyID, Array(secretAccessKey)).key
        var verification = VerificationKey(id: accessKeyID, p256: key.publicKey)
        verification.token = token
        return verification
    }
}

/// The derivation of a private key from an access key: NIST SP 800-108 in counter mode with HMAC-SHA256 (AWS,
/// "Signature calculation for SigV4a"), repeated until the number is valid for the curve.
private struct SigV4AKey {
    let key: P256.Signing.PrivateKey

    init(_ accessKeyID: String, _ secret: [UInt8]) throws(SigningError) {
        guard !secret.isEmpty else { throw Self.underivable }
        let input = SymmetricKey(data: Array("AWS4A".utf8) + secret)
        let label = Array("AWS4-ECDSA-P256-SHA256".utf8)
        // One in about four billion keys needs a second round.
        for round in UInt8(1)...254 {
            let text =
                [0, 0, 0, 1] + label + [0] + Array(accessKeyID.utf8) + [round] + [0, 0, 1, 0]
            let code = Array(HMAC<SHA256>.authenticationCode(for: text, using: input))
            guard let number = Self.successor(of: code, upTo: Self.orderLessTwo),
                let key = try? P256.Signing.PrivateKey(rawRepresentation: number)
            else { continue }
            self.key = key
            return
        }
        throw Self.underivable
    }

    /// The order of P-256 minus two (SEC 2 section 2.4.2), most significant byte first.
    private static let orderLessTwo: [UInt8] =
        Array(repeating: 0xFF, count: 4) + Array(repeating: 0, count: 4)
        + Array(repeating: 0xFF, count: 8)
        + [
            0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63,
            0x25, 0x4F,
        ]

    /// Returns a number plus one, if the number is at most the limit. Reads all bytes in any case, for constant time.
    private static func successor(of number: [UInt8], upTo limit: [UInt8]) -> [UInt8]? {
        var borrow = 0
        var carry = 1
        var next = number
        for index in number.indices.reversed() {
            borrow = (Int(limit[index]) - Int(number[index]) - borrow) < 0 ? 1 : 0
            let sum = Int(number[index]) + carry
            next[index] = UInt8(truncatingIfNeeded: sum)
            carry = sum >> 8
        }
        return borrow == 0 ? next : nil
    }

    private static var underivable: SigningError {
        SigningError(
            .unsuitableKey,
            "No key on P-256 can be derived from this secret access key. Check that it is not empty."
        )
    }
}
#endif
