#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A credential, with the fields or parameters that carry it in a request.
///
/// Descriptions, dumps and events show only the kind and expiry of a credential, never its secret.
public struct Credential: Sendable {
    private struct Parts {
        let fields: [(name: String, value: String)]
        let fieldNames: [String]
        let parameters: HTTP.Parameters
        let problem: String?
        let kind: String
        var isFromAnotherProcess = false
        var expiresAt: Date?
        var attachment: Data?
        let refreshToken: String?
    }

    // One reference, because interceptors keep credentials across their suspensions.
    private final class Storage: Sendable {
        let parts: Parts

        init(_ parts: Parts) { self.parts = parts }
    }

    private var storage: Storage

    private var parts: Parts {
        get { storage.parts }
        set { storage = Storage(newValue) }
    }

    /// The header fields that carry the credential, with its secrets, for code that sends it in a way of its own.
    public var fields: [(name: String, value: String)] { storage.parts.fields }
    /// The names of the ``fields``.
    var fieldNames: [String] { storage.parts.fieldNames }
    /// The query parameters that carry the credential.
    var parameters: HTTP.Parameters { storage.parts.parameters }
    /// The reason why the credential can never be used; `nil` if it can.
    var problem: String? { storage.parts.problem }
    var kind: String { storage.parts.kind }

    /// Whether another process refreshed this credential. It may then be as old as the rejected one.
    ///
    /// A source that shares credentials sets this. Defaults to `false`.
    public var isFromAnotherProcess: Bool {
        get { storage.parts.isFromAnotherProcess }
        set { parts.isFromAnotherProcess = newValue }
    }

    /// The date of expiry; `nil` if unknown.
    public internal(set) var expiresAt: Date? {
        get { storage.parts.expiresAt }
        set { parts.expiresAt = newValue }
    }

    /// The data of the session, as JSON: see ``attaching(_:)``. Defaults to none.
    ///
    /// It is never sent or shown, and every ``CredentialStore`` that archives the credential keeps it.
    public var attachment: Data? {
        get { storage.parts.attachment }
        set { parts.attachment = newValue }
    }

    /// The refresh token, with which a source gets the next credential. Interceptors never send it.
    public var refreshToken: String? { storage.parts.refreshToken }

    /// The token of a bearer (RFC 6750) or key-bound (RFC 9449) credential, without its scheme; `nil` for other kinds.
    public var token: String? {
        guard let field = fields.first(where: { $0.name.lowercased() == "authorization" }) else {
            return nil
        }
        let value = field.value.unicodeScalars
        guard let blank = value.firstIndex(of: " ") else { return nil }
        let hasToken = ["bearer", "dpop"].contains(String(value[..<blank]).lowercased())
        return hasToken ? String(value[value.index(after: blank)...]) : nil
    }

    /// Returns a credential with a bearer token (RFC 6750).
    /// - Parameters:
    ///   - token: The token.
    ///   - expiresAt: The date of expiry. Defaults to unknown.
    ///   - refreshToken: The refresh token. Defaults to none.
    public static func bearer(
        _ token: String,
        expiresAt: Date? = nil,
        refreshToken: String? = nil
    ) -> Credential {
        Credential(
            kind: "bearer",
            fields: [("Authorization", "Bearer \(token)")],
            expiresAt: expiresAt,
            refreshToken: refreshToken
        )
    }

    /// Returns a credential with a user name and password (RFC 7617), in UTF-8.
    ///
    /// A name with a colon is refused when the credential is used, because a server would read the rest of it as the
    /// password. Control characters are refused too.
    public static func basic(user: String, password: String) -> Credential {
        let encoded = Data("\(user):\(password)".utf8).base64EncodedString()
        return Credential(
            kind: "basic",
            fields: [("Authorization", "Basic \(encoded)")],
            problem: Self.basicProblem(user, password),
            expiresAt: nil,
            refreshToken: nil
        )
    }

    private static func basicProblem(_ user: String, _ password: String) -> String? {
        if user.utf8.contains(UInt8(ascii: ":")) {
            return "its user name has a colon, which none may have (RFC 7617 section 2)"
        }
        let isPlain = "\(user)\(password)".utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        return isPlain
            ? nil : "its user name or password has a control character (RFC 7617 section 2)"
    }

    /// Returns a credential with a secret in a header field that the server defines.
    /// - Parameters:
    ///   - name: The field's name, such as `X-Api-Key`.
    ///   - value: The secret.
    ///   - expiresAt: The date of expiry. Defaults to unknown.
    public static func header(
        _ name: String,
        _ value: String,
        expiresAt: Date? = nil
    ) -> Credential {
        Credential(
            kind: "header \(HTTP.printable(name))",
            fields: [(name, value)],
            expiresAt: expiresAt,
            refreshToken: nil
        )
    }

    /// Returns a credential with secrets in header fields, for custom schemes.
    /// - Parameters:
    ///   - kind: The kind shown in descriptions, such as `dpop`. Never a secret.
    ///   - fields: The names and values of the fields.
    ///   - expiresAt: The date of expiry. Defaults to unknown.
    ///   - refreshToken: The refresh token. Defaults to none.
    public static func fields(
        _ kind: String,
        _ fields: [(name: String, value: String)],
        expiresAt: Date? = nil,
        refreshToken: String? = nil
    ) -> Credential {
        Credential(
            kind: HTTP.FieldSyntax.isToken(kind) ? kind : HTTP.printable(kind),
            fields: fields,
            expiresAt: expiresAt,
            refreshToken: refreshToken
        )
    }

    /// Returns a credential with a secret in a query parameter, for servers that accept no header field.
    ///
    /// Every party that handles a request may log its URL. A parameter whose value ``Redaction/standard`` does not hide
    /// is refused when the credential is used.
    /// - Parameters:
    ///   - name: The parameter's name, such as `api_key`.
    ///   - value: The secret.
    ///   - expiresAt: The date of expiry. Defaults to unknown.
    public static func query(
        _ name: String,
        _ value: String,
        expiresAt: Date? = nil
    ) -> Credential {
        let isHidden = Redaction.standard.hides(name)
        return Credential(
            kind: "query \(HTTP.printable(name))",
            fields: [],
            parameters: [name: value],
            problem: isHidden
                ? value.isEmpty ? "its parameter \(HTTP.printable(name)) is empty" : nil
                : "the value of a parameter \(HTTP.printable(name)) is shown where URLs are; use a "
                    + "field, or an interceptor of your own",
            expiresAt: expiresAt,
            refreshToken: nil
        )
    }

    init(
        kind: String,
        fields: [(name: String, value: String)],
        parameters: HTTP.Parameters = [:],
        problem: String? = nil,
        expiresAt: Date?,
        refreshToken: String?
    ) {
        storage = Storage(
            Parts(
                fields: fields,
                fieldNames: fields.map(\.name),
                parameters: parameters,
                problem: problem,
                kind: kind,
                expiresAt: expiresAt,
                refreshToken: refreshToken
            )
        )
    }

    /// Returns whether both credentials add the same fields and parameters to a request.
    /// - Parameter other: The credential to compare with.
    public func isSame(as other: Credential) -> Bool {
        fields.elementsEqual(other.fields, by: ==)
            && parameters == other.parameters
    }

    func apply(to request: inout HTTP.Request) {
        for field in fields { request.headers[field.name] = field.value }
        if !parameters.isEmpty { request.url = request.url.appending(query: parameters) }
    }
}

extension Credential: CustomStringConvertible {
    /// The kind and expiry, never the secret.
    public var description: String {
        let expiry = shownExpiry.map { ", expires \($0)" } ?? ""
        return "Credential(\(kind)\(expiry))"
    }
}

extension Credential: CustomDebugStringConvertible {
    /// The same as the description.
    public var debugDescription: String { description }
}

extension Credential: CustomReflectable {
    /// The description, so that `dump` and debuggers do not show the secret.
    public var customMirror: Mirror { Mirror(self, children: ["kind": description]) }
}
