#if JWT
import JWTKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A public key of an issuer, with the algorithms that it may be used with.
struct VerificationKey: Sendable {
    /// The key's id (`kid`); `nil` if the set names none.
    let id: String?
    private let algorithms: [String: any JWTAlgorithm]

    /// Returns whether the key, with an algorithm that is its own, made a signature.
    /// - Parameters:
    ///   - signature: The signature's bytes.
    ///   - text: What was signed.
    ///   - algorithm: The algorithm's name (RFC 7518 section 3.1).
    func made(_ signature: [UInt8], of text: [UInt8], by algorithm: String) -> Bool {
        (try? algorithms[algorithm]?.verify(signature, signs: text)) == true
    }

    /// Whether the key may be used with an algorithm.
    func suits(_ algorithm: String) -> Bool { algorithms[algorithm] != nil }

    /// Reads a key from JSON (RFC 7517); `nil` for one that is of no use here.
    init?(json: Data) async {
        guard var key = try? JSONDecoder().decode(JWK.self, from: json) else { return nil }
        id = key.keyIdentifier?.string
        key.keyIdentifier = "key"
        key.privateExponent = nil
        let named = key.algorithm
        let names: [String] =
            switch key.keyType {
            case .rsa: ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"]
            case .ecdsa:
                switch key.curve?.rawValue {
                case "P-256": ["ES256"]
                case "P-384": ["ES384"]
                case "P-521": ["ES512"]
                default: []
                }
            case .octetKeyPair: key.curve?.rawValue == "Ed25519" ? ["EdDSA"] : []
            default: []
            }
        var algorithms: [String: any JWTAlgorithm] = [:]
        for name in names {
            guard let algorithm = JWK.Algorithm(rawValue: name), named == nil || named == algorithm
            else { continue }
            key.algorithm = algorithm
            let keys = JWTKeyCollection()
            guard (try? await keys.add(jwk: key)) != nil else { continue }
            algorithms[name] = try? await keys.getKey(for: "key", alg: name)
        }
        guard !algorithms.isEmpty else { return nil }
        self.algorithms = algorithms
    }
}
#endif
