public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The keys of an identity in AWS, with the session token of temporary ones. It never shows its secrets.
public struct AWSCredentials: Sendable {
    /// The access key's id, which is sent with each signature.
    public let accessKeyID: String
    let secretAccessKey: String
    let sessionToken: String?
    /// The date from which AWS refuses them; `nil` for keys without one.
    public let expiresAt: Date?

    /// Creates credentials.
    /// - Parameters:
    ///   - accessKeyID: The access key's id.
    ///   - secretAccessKey: The secret access key.
    ///   - sessionToken: The session token of temporary credentials. Defaults to none; an empty one is none.
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

    /// The key to sign with by `AWSSignatureV4`.
    public var signingKey: SigningKey {
        var key = SigningKey(id: accessKeyID, secret: secretAccessKey.utf8)
        key.token = sessionToken
        return key
    }

    /// Throws if they cannot sign: a part is empty, or has characters that no field carries.
    func validate() throws(TokenError) {
        let parts = [accessKeyID, secretAccessKey] + [sessionToken].compactMap(\.self)
        let isFine = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { 0x21...0x7E ~= $0 }
        }
        guard isFine, (try? signingKey.validate()) != nil else {
            throw TokenError(
                .invalidConfiguration,
                "The credentials cannot sign: their key id, secret or session token is empty, or has blanks "
                    + "or characters beyond ASCII."
            )
        }
    }
}

extension AWSCredentials {
    /// As a cache keeps it; no interceptor ever sends it.
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

    /// The same as the description.
    public var debugDescription: String { description }
}

extension AWSCredentials: CustomReflectable {
    /// The key's id only, so that `dump` and debuggers do not show the secrets.
    public var customMirror: Mirror { Mirror(self, children: ["accessKeyID": accessKeyID]) }
}
