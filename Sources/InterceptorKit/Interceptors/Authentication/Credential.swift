#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What proves who is calling, and how it goes into a request.
///
/// A credential never shows its secret: descriptions, dumps and events have its kind and expiry only.
public struct Credential: Sendable {
    /// Header fields that carry a credential, by name.
    let fields: [(name: String, value: String)]
    let kind: String

    /// When it stops being accepted; `nil` if unknown.
    public let expiresAt: Date?

    /// What a source needs to get the next credential, as a refresh token. Never sent by an
    /// interceptor.
    public let refreshToken: String?

    /// A bearer token (RFC 6750).
    /// - Parameters:
    ///   - token: The token.
    ///   - expiresAt: When it stops being accepted. Defaults to unknown.
    ///   - refreshToken: What a source needs to get the next one. Defaults to none.
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

    /// A user name and password (RFC 7617), as UTF-8.
    public static func basic(user: String, password: String) -> Credential {
        let encoded = Data("\(user):\(password)".utf8).base64EncodedString()
        return Credential(
            kind: "basic",
            fields: [("Authorization", "Basic \(encoded)")],
            expiresAt: nil,
            refreshToken: nil
        )
    }

    /// A secret in a header field of the server's choice.
    /// - Parameters:
    ///   - name: The field's name, as `X-Api-Key`.
    ///   - value: The secret.
    ///   - expiresAt: When it stops being accepted. Defaults to unknown.
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

    init(
        kind: String,
        fields: [(name: String, value: String)],
        expiresAt: Date?,
        refreshToken: String?
    ) {
        self.kind = kind
        self.fields = fields
        self.expiresAt = expiresAt
        self.refreshToken = refreshToken
    }

    /// Whether both put the same into a request.
    func isSame(as other: Credential) -> Bool { fields.elementsEqual(other.fields, by: ==) }

    func apply(to request: inout HTTP.Request) {
        for field in fields { request.headers[field.name] = field.value }
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
    /// The same, so that `dump` and debuggers do not show the secret.
    public var customMirror: Mirror { Mirror(self, children: ["kind": description]) }
}
