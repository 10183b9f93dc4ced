extension HTTP.Response {
    /// Whether its status says where else to ask. 300, 304, 305 and 306 do not.
    var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status.code) }

    /// Where a redirect points (RFC 9110 section 10.2.2): complete, without user information, with the
    /// fragment of the request's URL unless it has its own.
    /// - Returns: `nil` for a response that is no redirect or does not say where.
    func redirectTarget(from source: HTTP.URL) throws(RedirectProblem) -> HTTP.URL? {
        guard isRedirect, let location = headers.values("Location").first else { return nil }
        guard headers.values("Location").allSatisfy({ $0 == location }) else {
            throw .severalTargets
        }
        let reference = HTTP.URL(location.asURLText.withoutUserInformation)
        if let scheme = reference.scheme, scheme != "http" && scheme != "https" {
            throw .unsupportedScheme(scheme)
        }
        if let problem = reference.parts.problem { throw .invalidTarget(problem.description) }
        var target = reference.resolved(against: source)
        if target.splitFragment().fragment.isEmpty {
            target = HTTP.URL(target.text + source.splitFragment().fragment)
        }
        do throws(HTTP.RequestError) {
            try target.validate()
        } catch {
            throw .invalidTarget("it has no host")
        }
        return target
    }
}

extension String {
    // What servers send without encoding it, encoded as browsers do: blanks, other letters, quotes,
    // and a percent sign that begins no escape.
    fileprivate var asURLText: String {
        let bytes = Array(utf8)
        var text = ""
        for (index, byte) in bytes.enumerated() {
            let isAllowed =
                switch byte {
                case UInt8(ascii: "%"):
                    bytes[(index + 1)...].prefix(2).count { $0.isHexDigit } == 2
                case 0x21...0x7E: !"\"<>\\^`{|}".utf8.contains(byte)
                default: false
                }
            if isAllowed {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }

    // A name and password in a target are the server's words and never become a credential.
    fileprivate var withoutUserInformation: String {
        let start: Index
        if hasPrefix("//") {
            start = index(startIndex, offsetBy: 2)
        } else if let colon = firstIndex(of: ":"), self[colon...].hasPrefix("://") {
            start = index(colon, offsetBy: 3)
        } else {
            return self
        }
        let authority = self[start...].prefix { !"/?#".contains($0) }
        guard let at = authority.lastIndex(of: "@") else { return self }
        return String(self[..<start] + self[index(after: at)...])
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        Character(Unicode.Scalar(self)).isHexDigit
    }
}
