public import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How the bytes of a signature or a hash are written.
public enum SignatureEncoding: Sendable, Hashable {
    /// Hexadecimal digits in lower case.
    case hexadecimal
    /// Hexadecimal digits in upper case.
    case uppercaseHexadecimal
    /// Base64 with padding (RFC 4648 section 4).
    case base64
    /// As they are, for bytes that are text.
    case text

    func text(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .hexadecimal: Array(bytes.hexadecimal.utf8)
        case .uppercaseHexadecimal: Array(bytes.hexadecimal.uppercased().utf8)
        case .base64: Array(Data(bytes).base64EncodedData())
        case .text: bytes
        }
    }
}

/// How a signature is made of the text to sign.
public struct SignatureFunction: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case hash(HashAlgorithm)
        case hmac(HashAlgorithm, key: SignatureTemplate, derivation: [SignatureTemplate])
        case plain
    }

    let kind: Kind

    /// The hash of the text, which must have the secret in it.
    ///
    /// A secret that only begins the text does not protect it: anyone who has a signature can lengthen the
    /// text. For servers that prescribe it.
    public static func hash(_ algorithm: HashAlgorithm) -> SignatureFunction {
        SignatureFunction(kind: .hash(algorithm))
    }

    /// An HMAC of the text.
    /// - Parameters:
    ///   - algorithm: The hash function.
    ///   - key: The key. Defaults to the secret.
    ///   - derivation: Texts to derive a key from it with, each the HMAC under the one before, as AWS and
    ///     Tencent do for the day, the service and so on. Defaults to none.
    public static func hmac(
        _ algorithm: HashAlgorithm,
        key: SignatureTemplate = "\(.secret)",
        derivation: [SignatureTemplate] = []
    ) -> SignatureFunction {
        SignatureFunction(kind: .hmac(algorithm, key: key, derivation: derivation))
    }

    /// The text itself, as for OAuth's `PLAINTEXT`. For TLS alone.
    public static let plain = SignatureFunction(kind: .plain)
}
