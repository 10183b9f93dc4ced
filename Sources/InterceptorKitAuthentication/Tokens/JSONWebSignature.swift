import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A JSON Web Signature in its compact form (RFC 7515 section 3.1).
enum JSONWebSignature {
    /// Returns claims signed by a function. The header must have the algorithm's name.
    static func text(
        _ header: some Encodable,
        _ claims: some Encodable,
        signedBy sign: ([UInt8]) throws -> [UInt8]
    ) throws -> String {
        let message = try "\(encoded(header)).\(encoded(claims))"
        return "\(message).\(Base64URL.encode(try sign(Array(message.utf8))))"
    }

    private static func encoded(_ part: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Base64URL.encode(try encoder.encode(part))
    }
}

extension SignatureAlgorithm {
    /// The algorithm's name in JSON Web Signatures (RFC 7518 section 3.1, RFC 8037 section 3.1); `nil` if it does not
    /// sign with a private key.
    var jsonName: String? {
        switch self {
        case .ecdsaP256SHA256: "ES256"
        case .ecdsaP384SHA384: "ES384"
        case .ed25519: "EdDSA"
        case .rsaPSSSHA512: "PS512"
        case .rsaPKCS1SHA256: "RS256"
        default: nil
        }
    }
}
