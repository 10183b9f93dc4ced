public import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The encoding of a signature or a hash.
public enum SignatureEncoding: Sendable, Hashable {
    /// Hexadecimal digits in lower case.
    case hexadecimal
    /// Hexadecimal digits in upper case.
    case uppercaseHexadecimal
    /// Base64 with padding (RFC 4648 section 4).
    case base64
    /// No encoding, for bytes that are text.
    case text

    func text(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .hexadecimal: Array(bytes.hexadecimal.utf8)
        case .uppercaseHexadecimal: Array(bytes.hexadecimal.uppercased().utf8)
        case .base64:
            {
                var text = CanonicalWriter(capacity: 96)
                text.appendBase64(bytes)
                return text.bytes
            }()
        case .text: bytes
        }
    }
}

/// The function that computes a signature from the text to sign.
public struct SignatureFunction: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case hash(HashAlgorithm)
        case hmac(HashAlgorithm, key: SignatureTemplate, derivation: [SignatureTemplate])
        case plain
    }

    let kind: Kind

    /// Returns a plain hash of the text, which must contain the secret.
    ///
    /// A secret at the beginning of the text does not protect it: anyone who has a signature can append to the text
    /// (length extension). Use a plain hash only for servers that prescribe it.
    public static func hash(_ algorithm: HashAlgorithm) -> SignatureFunction {
        SignatureFunction(kind: .hash(algorithm))
    }

    /// Returns an HMAC of the text.
    /// - Parameters:
    ///   - algorithm: The hash function.
    ///   - key: The key. Defaults to the secret.
    ///   - derivation: Texts to derive the key with. Each derived key is the HMAC of one text under the previous key,
    ///     as AWS and Tencent do for day, service and so on. Defaults to none.
    public static func hmac(
        _ algorithm: HashAlgorithm,
        key: SignatureTemplate = "\(.secret)",
        derivation: [SignatureTemplate] = []
    ) -> SignatureFunction {
        SignatureFunction(kind: .hmac(algorithm, key: key, derivation: derivation))
    }

    /// The text itself, as for OAuth's `PLAINTEXT`. Use it only over TLS.
    public static let plain = SignatureFunction(kind: .plain)
}
