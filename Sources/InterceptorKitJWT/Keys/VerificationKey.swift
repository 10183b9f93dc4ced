#if JWT
import InterceptorKit
import JWTKit

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

    /// Reads a key (RFC 7517 section 4).
    /// - Parameter members: The members of the key's JSON.
    /// - Returns: `nil` for a key that verifies no signature here: of an unknown kind, incomplete, of fewer than 2048
    ///   bits (RSA), meant for something else, secret, or with a private part, with which everyone who can read the set
    ///   can sign.
    init?(_ members: [String: JSONValue]) async {
        func text(_ name: String) -> String? {
            if case .string(let text)? = members[name] { text } else { nil }
        }
        func isText(_ names: String...) -> Bool {
            names.allSatisfy { members[$0] == nil || text($0) != nil }
        }
        guard Self.privateMembers.allSatisfy({ members[$0] == nil }), isText("kid", "use", "alg"),
            text("use") ?? "sig" == "sig", Self.allowsVerifying(members["key_ops"]),
            let (key, names) = Self.kind(text)
        else { return nil }
        let collection = JWTKeyCollection()
        var algorithms: [String: any JWTAlgorithm] = [:]
        for (name, algorithm) in names where text("alg") ?? name == name {
            var key = key
            key.algorithm = algorithm
            key.keyIdentifier = JWKIdentifier(string: name)
            // Fails for coordinates that are not on the curve, and for RSA keys that are too short.
            guard (try? await collection.add(jwk: key)) != nil else { continue }
            algorithms[name] = try? await collection.getKey(for: key.keyIdentifier, alg: name)
        }
        guard !algorithms.isEmpty else { return nil }
        id = text("kid")
        self.algorithms = algorithms
    }

    // RFC 7518 sections 6.2.2, 6.3.2 and 6.4.1.
    private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

    private static func allowsVerifying(_ operations: JSONValue?) -> Bool {
        guard let operations else { return true }
        guard case .array(let list) = operations else { return false }
        return list.contains(.string("verify"))
    }

    /// Returns a key without algorithm and id, and the algorithms of its kind by name (RFC 7518 section 3.1, RFC 8037
    /// section 3.1, RFC 9864 section 2.2).
    private static func kind(
        _ text: (String) -> String?
    ) -> (key: JWK, names: KeyValuePairs<String, JWK.Algorithm>)? {
        switch (text("kty"), text("crv")) {
        case ("RSA", _):
            guard let modulus = text("n"), let exponent = text("e") else { return nil }
            return (
                .rsa(nil, identifier: nil, modulus: modulus, exponent: exponent),
                [
                    "RS256": .rs256, "RS384": .rs384, "RS512": .rs512,
                    "PS256": .ps256, "PS384": .ps384, "PS512": .ps512,
                ]
            )
        case ("EC", "P-256"): return point(text, .p256, ["ES256": .es256])
        case ("EC", "P-384"): return point(text, .p384, ["ES384": .es384])
        case ("EC", "P-521"): return point(text, .p521, ["ES512": .es512])
        case ("OKP", "Ed25519"):
            guard let x = text("x") else { return nil }
            return (
                .octetKeyPair(nil, identifier: nil, x: x, y: nil, curve: .ed25519),
                ["EdDSA": .eddsa, "Ed25519": .eddsa]
            )
        default: return nil
        }
    }

    private static func point(
        _ text: (String) -> String?,
        _ curve: ECDSACurve,
        _ names: KeyValuePairs<String, JWK.Algorithm>
    ) -> (key: JWK, names: KeyValuePairs<String, JWK.Algorithm>)? {
        guard let x = text("x"), let y = text("y") else { return nil }
        return (.ecdsa(nil, identifier: nil, x: x, y: y, curve: curve), names)
    }
}
#endif
