import InterceptorKit

/// The response to a `Digest` challenge (RFC 7616 section 3.4): proves the password without sending it.
struct DigestAuthorization {
    let challenge: DigestChallenge
    let user: String
    let password: String
    let method: String
    /// The target as it stands in the request's first line.
    let target: String
    /// How often the nonce has been used, this time included.
    let count: UInt32
    let clientNonce: String
    /// `nil` for servers that know only RFC 2069.
    let protection: DigestChallenge.Protection?
    /// The content's hash, for `auth-int`.
    var bodyHash: String?

    /// The value of the `Authorization` field.
    var fieldValue: String {
        var parameters = ["realm=\(HTTP.FieldSyntax.quoted(challenge.realm))"]
        parameters.insert(userParameter, at: 0)
        parameters.append("nonce=\(HTTP.FieldSyntax.quoted(challenge.nonce))")
        parameters.append("uri=\(HTTP.FieldSyntax.quoted(target))")
        if protection != nil || challenge.isSession {
            parameters.append("cnonce=\"\(clientNonce)\"")
        }
        if let protection { parameters += ["nc=\(countText)", "qop=\(protection.rawValue)"] }
        parameters.append("response=\"\(response)\"")
        if let opaque = challenge.opaque {
            parameters.append("opaque=\(HTTP.FieldSyntax.quoted(opaque))")
        }
        if let name = challenge.algorithmName { parameters.append("algorithm=\(name)") }
        if challenge.hashesUser { parameters.append("userhash=true") }
        return "Digest " + parameters.joined(separator: ", ")
    }

    var response: String { proof(method, protection, bodyHash) }

    /// What a server that knows the password adds to its response (RFC 7616 section 3.5).
    /// - Parameters:
    ///   - protection: What it covers.
    ///   - bodyHash: The hash of the response's content, for `auth-int`.
    func serverProof(of protection: DigestChallenge.Protection, _ bodyHash: String?) -> String {
        proof("", protection, bodyHash)
    }

    /// Whether a server means this answer by the count and nonce that it repeats.
    func isMeant(byCount count: String?, _ nonce: String?) -> Bool {
        (count ?? countText).lowercased() == countText && nonce ?? clientNonce == clientNonce
    }

    private func proof(
        _ method: String,
        _ protection: DigestChallenge.Protection?,
        _ bodyHash: String?
    ) -> String {
        let first = hash(key)
        let second = hash([method, target] + (protection == .authInt ? [bodyHash ?? ""] : []))
        guard let protection else { return hash([first, challenge.nonce, second]) }
        return hash([
            first, challenge.nonce, countText, clientNonce, protection.rawValue, second,
        ])
    }

    private var key: [String] {
        let secret = [user, challenge.realm, password]
        return challenge.isSession ? [hash(secret), challenge.nonce, clientNonce] : secret
    }

    private var userParameter: String {
        if challenge.hashesUser { return "username=\"\(hash([user, challenge.realm]))\"" }
        // A quoted string holds UTF-8 too, and only servers that know `charset` know the other form
        // (RFC 7616 sections 3.4 and 4, RFC 8187): Apache refuses it.
        let isExtended = challenge.acceptsUTF8 && !user.utf8.allSatisfy { $0 < 0x80 }
        return isExtended
            ? "username*=UTF-8''\(PercentEncoding.encode(user))"
            : "username=\(HTTP.FieldSyntax.quoted(user))"
    }

    private var countText: String {
        let digits = String(count, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    private func hash(_ parts: [String]) -> String {
        // A realm may have any bytes.
        let bytes = HTTP.FieldSyntax.bytes(of: parts.joined(separator: ":"))
        return challenge.hash.hash(bytes).hexadecimal
    }
}
