#if Redis
public import InterceptorKit

#if RedisTLS
public import NIOSSL
#endif

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The address of a ``RedisClient``'s server, and the limits of its connections.
public struct RedisSettings: Sendable {
    /// The host's name or address.
    public var host: String
    /// The port. Defaults to 6379.
    public var port: Int
    /// The user name and password. Defaults to none.
    public var credential: RedisCredential?
    /// The database. Defaults to 0.
    public var database = 0
    #if RedisTLS
    /// The TLS configuration. Defaults to `nil`, which means no TLS. `.makeClientConfiguration()` trusts the system's
    /// authorities and verifies the host's name. Requires the trait `RedisTLS`.
    ///
    /// Without TLS, anybody on the network path can read the credential and change every reply.
    public var tls: TLSConfiguration?
    #endif
    /// The number of connections, which commands of many calls share. Defaults to 2. More connections help only where
    /// large replies delay other replies.
    public var connections = 2
    /// The longest time for a command, including its wait for a connection. Defaults to 500 ms.
    public var timeout: Duration = .milliseconds(500)
    /// The waits between attempts to connect. Defaults to 50 ms, growing to 2 s, with full jitter.
    public var backoff = Backoff(cap: .seconds(2))
    /// The maximum number of commands in flight on a connection; more are refused. Defaults to 4,096.
    public var inFlightLimit = 4096
    /// The size of the largest reply that is read, in bytes; at least 16 KiB, for `INFO`. Defaults to 16 MiB.
    public var replyLimit = 16 << 20
    /// The name of the connections in the server's `CLIENT LIST`. Defaults to `InterceptorKit`.
    public var clientName = "InterceptorKit"

    /// Creates settings.
    /// - Parameters:
    ///   - host: The host's name or address.
    ///   - port: The port. Defaults to 6379.
    ///   - credential: The user name and password. Defaults to none.
    public init(host: String, port: Int = 6379, credential: RedisCredential? = nil) {
        self.host = host
        self.port = port
        self.credential = credential
    }

    /// Creates settings from a URL, as in `rediss://user:password@redis.example.com:6380/0`.
    ///
    /// `rediss` means TLS with the system's authorities, and `redis` no TLS. The path is the database.
    /// - Throws: `SettingError` for another scheme or an invalid part, and for `rediss` without the trait `RedisTLS`.
    public init(url: String) throws(SettingError) {
        guard let parts = URLComponents(string: url), let host = parts.host, !host.isEmpty,
            let scheme = parts.scheme?.lowercased(), scheme == "redis" || scheme == "rediss",
            parts.query == nil, parts.fragment == nil,
            let database = Self.database(parts.path)
        else {
            // Not shown, because it may contain a password.
            throw SettingError(
                "RedisSettings.url",
                is: "another text",
                mustBe: "redis://host:port/database, or rediss:// for TLS",
                "Put user:password@ before the host if needed, percent-encoded."
            )
        }
        self.init(host: host.trimmingBrackets, port: parts.port ?? 6379)
        if scheme == "rediss" {
            #if RedisTLS
            tls = .makeClientConfiguration()
            #else
            throw SettingError(
                "RedisSettings.url",
                is: "rediss://",
                mustBe: "redis:// without the trait RedisTLS",
                "TLS takes .package(…, traits: [\"RedisTLS\"])."
            )
            #endif
        }
        self.database = database
        guard let password = parts.password else { return }
        let user = parts.user ?? ""
        credential = RedisCredential(username: user.isEmpty ? "default" : user, password: password)
    }

    /// Throws if a value isn't allowed.
    public func validate() throws(SettingError) {
        let check = SettingCheck(of: "RedisSettings")
        let isHost = !host.isEmpty && host.utf8.allSatisfy { 33...126 ~= $0 }
        try check.require(isHost, "host", "another text", "the name or address of a host")
        try check.within(1...65_535, "port", port)
        try check.notNegative("database", database)
        try check.within(1...256, "connections", connections)
        try check.positive("timeout", timeout)
        try check.within(1...1_000_000, "inFlightLimit", inFlightLimit)
        try check.within((16 << 10)...(1 << 30), "replyLimit", replyLimit)
        // The server refuses a name with spaces.
        let name = clientName.utf8
        try check.require(
            name.allSatisfy { 33...126 ~= $0 } && name.count <= 64,
            "clientName",
            "\(name.count) bytes",
            "up to 64 visible ASCII characters"
        )
    }

    private static func database(_ path: String) -> Int? {
        let number = path.drop { $0 == "/" }
        guard !number.isEmpty else { return 0 }
        return number.utf8.allSatisfy { 48...57 ~= $0 } ? Int(number) : nil
    }

    var place: String { "\(host):\(port)" }
}

extension String {
    fileprivate var trimmingBrackets: String {
        rest(after: "[")?.rest(before: "]").map(String.init) ?? self
    }
}

extension RedisSettings: CustomStringConvertible, CustomReflectable {
    /// The server's address and the database, without the credential.
    public var description: String { "RedisSettings(\(place), database \(database))" }

    public var customMirror: Mirror {
        Mirror(self, children: ["place": place, "database": database])
    }
}
#endif
