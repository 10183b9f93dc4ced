public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The keys of an AWS identity, with the session token of temporary keys. The description and mirror show no secrets.
public struct AWSCredentials: Sendable {
    /// The access key's id, which is sent with each signature.
    public let accessKeyID: String
    let secretAccessKey: String
    let sessionToken: String?
    /// The date of expiry; `nil` for keys that do not expire.
    public let expiresAt: Date?

    /// Creates credentials.
    /// - Parameters:
    ///   - accessKeyID: The access key's id.
    ///   - secretAccessKey: The secret access key.
    ///   - sessionToken: The session token of temporary credentials; an empty one counts as none. Defaults to none.
    ///   - expiresAt: The date of expiry. Defaults to none.
    public init(
        accessKeyID: String,
        secretAccessKey: String,
        sessionToken: String? = nil,
        expiresAt: Date? = nil
    ) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken.flatMap { $0.isEmpty ? nil : $0 }
        self.expiresAt = expiresAt
    }

    /// The signing key for `AWSSignatureV4`.
    public var signingKey: SigningKey {
        var key = SigningKey(id: accessKeyID, secret: secretAccessKey.utf8)
        key.token = sessionToken
        return key
    }

    /// Throws if the credentials cannot sign: a part is empty, or has characters that a field cannot contain.
    func validate() throws(TokenError) {
        let parts = [accessKeyID, secretAccessKey] + [sessionToken].compactMap(\.self)
        let areValid = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { 0x21...0x7E ~= $0 }
        }
        guard areValid, (try? signingKey.validate()) != nil else {
            throw TokenError(
                .invalidConfiguration,
                "The credentials cannot sign: their key id, secret or session token is empty, or has blanks "
                    + "or characters beyond ASCII."
            )
        }
    }
}

extension AWSCredentials {
    /// The form for the credential cache, which no interceptor ever sends.
    var credential: Credential {
        var fields = [("id", accessKeyID), ("secret", secretAccessKey)]
        if let sessionToken { fields.append(("token", sessionToken)) }
        return .fields("aws", fields, expiresAt: expiresAt)
    }

    init?(_ credential: Credential) {
        let values = Dictionary(credential.fields.map { ($0.name, $0.value) }) { $1 }
        guard let id = values["id"], let secret = values["secret"] else { return nil }
        self.init(
            accessKeyID: id,
            secretAccessKey: secret,
            sessionToken: values["token"],
            expiresAt: credential.expiresAt
        )
    }
}

extension AWSCredentials: CustomStringConvertible, CustomDebugStringConvertible {
    /// The key's id and the expiry, never the secrets.
    public var description: String {
        let expiry = expiresAt.map { ", expire \(HTTP.text(for: $0))" } ?? ""
        return "AWSCredentials(\(accessKeyID)\(expiry))"
    }

    /// The same text as the description.
    public var debugDescription: String { description }
}

extension AWSCredentials: CustomReflectable {
    /// The key's id only, so that `dump` and debuggers do not show the secrets.
    public var customMirror: Mirror { Mirror(self, children: ["accessKeyID": accessKeyID]) }
}
