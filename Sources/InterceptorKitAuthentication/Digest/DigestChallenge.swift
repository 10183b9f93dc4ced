import InterceptorKit

/// A supported `Digest` challenge (RFC 7616 section 3.3).
struct DigestChallenge: Sendable, Hashable {
    /// The part of a request that the response to a challenge covers.
    enum Protection: String, Sendable {
        /// The method and the target.
        case auth
        /// The method, the target and the content.
        case authInt = "auth-int"
    }

    let realm: String
    var nonce: String
    let opaque: String?
    /// The name as in the challenge; `nil`, which means MD5, if the challenge names none.
    let algorithmName: String?
    let hash: HashAlgorithm
    /// Whether the hash of the password includes the nonces, as for `SHA-256-sess`.
    let isSession: Bool
    /// The offered protections; `nil` from servers that support only RFC 2069.
    let protections: Set<Protection>?
    let isStale: Bool
    let hashesUser: Bool
    /// Whether the server announced `charset=UTF-8`.
    let acceptsUTF8: Bool

    /// - Returns: `nil` for another scheme, and for an incomplete or unsupported challenge.
    init?(_ challenge: HTTP.Challenge) {
        guard challenge.isScheme("Digest"), let realm = challenge.realm,
            let nonce = challenge["nonce"],
            let algorithm = Self.algorithm(challenge["algorithm"] ?? "MD5")
        else { return nil }
        self.realm = realm
        self.nonce = nonce
        opaque = challenge["opaque"]
        algorithmName = challenge["algorithm"]
        (hash, isSession) = algorithm
        protections = challenge["qop"].map { text in
            Set(
                text.split(at: ",").compactMap {
                    Protection(rawValue: HTTP.FieldSyntax.trimmed(String($0)).lowercased())
                }
            )
        }
        guard protections != [] else { return nil }
        isStale = challenge["stale"]?.lowercased() == "true"
        hashesUser = challenge["userhash"]?.lowercased() == "true"
        acceptsUTF8 = challenge["charset"]?.lowercased() == "utf-8"
    }

    /// Returns the strongest supported challenge; of equally strong ones the first, which the server prefers.
    static func strongest(of challenges: [HTTP.Challenge], acceptsMD5: Bool) -> DigestChallenge? {
        challenges.compactMap(DigestChallenge.init)
            .filter { acceptsMD5 || $0.hash != .md5 }
            .reduce(nil) { best, next in
                guard let best, best.strength >= next.strength else { return next }
                return best
            }
    }

    private var strength: Int {
        switch hash {
        case .sha512_256: 3
        case .sha256: 2
        default: 1
        }
    }

    private static func algorithm(_ name: String) -> (HashAlgorithm, isSession: Bool)? {
        let name = name.lowercased()
        let session = name.rest(before: "-sess")
        let isSession = session != nil
        switch session ?? name[...] {
        case "md5": return (.md5, isSession)
        case "sha-256": return (.sha256, isSession)
        case "sha-512-256": return (.sha512_256, isSession)
        default: return nil
        }
    }
}
