#if JWT
import InterceptorKit
import InterceptorKitAuthentication

/// The public key in the header of a proof (RFC 9449 section 4.2), which says nothing of its owner but the thumbprint.
struct ProofKey {
    let thumbprint: String
    let verification: VerificationKey

    /// Reads a key.
    /// - Parameters:
    ///   - value: The member `jwk`.
    ///   - algorithm: The proof's algorithm, the only one that the key is used with.
    /// - Throws: `proofKey` if it is no public key for the algorithm.
    init(_ value: JSONValue?, for algorithm: String) async throws(AccessTokenError) {
        guard case .object(let members)? = value else { throw Self.refused("is missing") }
        // RFC 7518 sections 6.2.2, 6.3.2 and 6.4.1.
        let secrets = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]
        guard !secrets.contains(where: { members[$0] != nil }) else {
            throw Self.refused("is a private key, which its owner has to replace")
        }
        let texts = members.compactMapValues {
            if case .string(let text) = $0 { text } else { nil }
        }
        guard texts["alg"].map({ $0 == algorithm }) ?? true,
            texts["use"].map({ $0 == "sig" }) ?? true
        else { throw Self.refused("is for another use") }
        guard let names = Self.members(of: texts) else {
            throw Self.refused("is of no known kind, or has a number of another size")
        }
        var key: [String: String] = [:]
        for name in names { key[name] = texts[name] }
        thumbprint = JSONWebKey(members: key).thumbprint
        key["alg"] = algorithm
        guard let verification = await VerificationKey(key.mapValues(JSONValue.string)),
            verification.suits(algorithm)
        else { throw Self.refused("cannot be used with the proof's algorithm") }
        self.verification = verification
    }

    /// Returns the names of the members that define a key (RFC 7638 section 3.2), if their numbers have the size that
    /// they must have. RSA's is bounded, because the time to verify grows with the square of the modulus.
    private static func members(of key: [String: String]) -> [String]? {
        func size(_ name: String) -> Int {
            guard let bytes = key[name].flatMap({ Base64URL.decode($0.utf8) }) else { return 0 }
            return key["kty"] == "RSA" && bytes.first == 0 ? 0 : bytes.count
        }
        switch (key["kty"], key["crv"]) {
        case ("EC", let curve?):
            guard let expected = ["P-256": 32, "P-384": 48, "P-521": 66][curve],
                size("x") == expected, size("y") == expected
            else { return nil }
            return ["kty", "crv", "x", "y"]
        case ("OKP", "Ed25519"): return size("x") == 32 ? ["kty", "crv", "x"] : nil
        case ("RSA", _):
            guard 256...512 ~= size("n"), 1...4 ~= size("e") else { return nil }
            return ["kty", "n", "e"]
        default: return nil
        }
    }

    private static func refused(_ reason: String) -> AccessTokenError {
        AccessTokenError(.proofKey, "The proof's key \(reason).")
    }
}
#endif
