#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP.Cookie {
    /// Creates a cookie from values, such as that of a session that began elsewhere.
    ///
    /// ```swift
    /// let session = try HTTP.Cookie(name: "session", value: id, domain: "example.com", isSecure: true)
    /// jar.set(session)
    /// ```
    ///
    /// Whether the domain is a public suffix is not checked, and the expiry is not limited to ``longestLife``.
    /// - Parameters:
    ///   - name: The name, without blanks at its ends, `=`, `;` and control characters.
    ///   - value: The value, as it is sent, without blanks at its ends, `;` and control characters; with the name at
    ///     most ``largestSize`` bytes.
    ///   - domain: The host that receives the cookie, without a dot in front, as in `example.com`.
    ///   - path: The path that the cookie is for, including all paths below, without `;`. Defaults to `/`, all paths.
    ///   - isHostOnly: Whether hosts below the domain do not receive the cookie. Defaults to `true`.
    ///   - isSecure: Whether the cookie is sent only over https. Defaults to `false`, as in `Set-Cookie`.
    ///   - isHTTPOnly: Whether scripts of a page must not see the cookie. Defaults to `false`.
    ///   - expiresAt: The date of expiry. Defaults to `nil`: the cookie lasts as long as the session.
    /// - Throws: A `SettingError` that names the value that cannot be used, or the rule of a `__Secure-` or `__Host-`
    ///   name that it violates.
    public init(
        name: String,
        value: String,
        domain: String,
        path: String = "/",
        isHostOnly: Bool = true,
        isSecure: Bool = false,
        isHTTPOnly: Bool = false,
        expiresAt: Date? = nil
    ) throws(SettingError) {
        let check = SettingCheck(of: "HTTP.Cookie")
        try check.require(
            SetCookie(name + "=")?.name == name,
            "name",
            name.isEmpty ? "empty" : HTTP.printable(name),
            "a text without blanks at its ends, =, ; and control characters, of at most "
                + "\(Self.largestSize) bytes"
        )
        // The value may be a secret.
        try check.require(
            SetCookie("\(name)=\(value)")?.value == value,
            "value",
            "a text of \(value.utf8.count) bytes",
            "one without blanks at its ends, ; and control characters, with the name of at most "
                + "\(Self.largestSize) bytes"
        )
        let host = HTTP.URL.host(domain)
        try check.require(
            host != nil,
            "domain",
            domain.isEmpty ? "empty" : HTTP.printable(domain),
            "a host, as in example.com",
            domain.begins(with: ".")
                ? "Leave the dot out, and set isHostOnly to false for the hosts below." : nil
        )
        try check.require(
            path.begins(with: "/") && !path.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == 0x3B },
            "path",
            path.isEmpty ? "empty" : HTTP.printable(path),
            "one that begins with / and has no ; and no control characters"
        )
        try check.require(
            NamePrefix(of: name).allows(isSecure: isSecure, isHostOnly: isHostOnly, path: path),
            "name",
            HTTP.printable(name),
            "one without __Secure- for a cookie that is not secure, and without __Host- for one that is "
                + "not secure, or is for hosts below the domain or for a path"
        )
        self.init(
            name: name,
            value: value,
            domain: host ?? domain,
            isHostOnly: isHostOnly,
            path: path,
            isSecure: isSecure,
            isHTTPOnly: isHTTPOnly,
            expiresAt: expiresAt,
            createdAt: .distantPast
        )
    }
}

/// A name's prefix, which promises how a cookie was set (RFC 6265bis section 4.1.3).
enum NamePrefix {
    case none, secure, host

    init(of name: String) {
        let name = name.lowercased()
        self =
            name.begins(with: "__host-") ? .host : name.begins(with: "__secure-") ? .secure : .none
    }

    /// - Parameter path: The path that was given; `nil` for none.
    func allows(isSecure: Bool, isHostOnly: Bool, path: String?) -> Bool {
        switch self {
        case .none: true
        case .secure: isSecure
        case .host: isSecure && isHostOnly && path == "/"
        }
    }
}
