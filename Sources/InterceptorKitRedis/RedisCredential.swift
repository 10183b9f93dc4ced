#if Redis
/// A user name and password for a Redis or Valkey server. Descriptions never show the password.
public struct RedisCredential: Sendable, Hashable {
    /// The user in the server's access control list (ACL).
    public var username: String
    /// The password.
    public var password: String

    /// Creates a credential.
    /// - Parameters:
    ///   - username: The user. Defaults to `default`, the user of `requirepass`.
    ///   - password: The password.
    public init(username: String = "default", password: String) {
        self.username = username
        self.password = password
    }
}

extension RedisCredential: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The user name, without the password.
    public var description: String { "RedisCredential(\(username), password hidden)" }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: ["username": username]) }
}
#endif
