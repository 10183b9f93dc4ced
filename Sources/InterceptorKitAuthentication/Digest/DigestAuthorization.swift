import InterceptorKit

/// The response to a `Digest` challenge, which proves the password without sending it (RFC 7616 section 3.4).
struct DigestAuthorization {
    let challenge: DigestChallenge
    let user: String
    let password: String
    let method: String
    /// The request target.
    let target: String
    /// The number of uses of the nonce, including this one.
    let count: UInt32
    let clientNonce: String
    /// The protection of the request; `nil` for servers that support only RFC 2069.
    let protection: DigestChallenge.Protection?
    /// The content's hash, for `auth-int`.
    var bodyHash: String?

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

    /// Returns the proof of a server that knows the password (RFC 7616 section 3.5).
    /// - Parameters:
    ///   - protection: The protection of the response.
    ///   - bodyHash: The hash of the response's content, for `auth-int`.
    func serverProof(of protection: DigestChallenge.Protection, _ bodyHash: String?) -> String {
        proof("", protection, bodyHash)
    }

    /// Whether the count and nonce that a server repeats are those of this request.
    func matches(count: String?, clientNonce nonce: String?) -> Bool {
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
        // A quoted string may hold UTF-8. The extended form is only for servers that announce `charset` (RFC 7616
        // sections 3.4 and 4, RFC 8187): Apache refuses it.
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
        // A realm may contain arbitrary bytes.
        let bytes = HTTP.FieldSyntax.bytes(of: parts.joined(separator: ":"))
        return challenge.hash.hash(bytes).hexadecimal
    }
}
