#if Redis
public import InterceptorKit

/// A failure to reach a Redis or Valkey server, or a command that the server refused.
///
/// Of a server's own error text, a message contains only the first word, because servers repeat arguments, such as
/// passwords, in their errors.
public struct RedisError: CodedError, Sendable {
    /// The kind of failure.
    public struct Code: ErrorCode {
        public let description: String

        /// No connection could be made in time. The command was not sent.
        public static let unreachable = Code(description: "unreachable")
        /// The connection broke, or the time ended, after the command was sent and before its reply arrived. The server
        /// may have executed the command.
        public static let outcomeUnknown = Code(description: "outcomeUnknown")
        /// The maximum number of commands is in flight. The command was not sent.
        public static let tooManyCommands = Code(description: "tooManyCommands")
        /// The server replied to the command with an error.
        public static let refused = Code(description: "refused")
        /// The server rejects the user name and password, or requires them.
        public static let notAuthenticated = Code(description: "notAuthenticated")
        /// The server is a cluster, a sentinel, a replica, or older than Redis 6.
        public static let unsupportedServer = Code(description: "unsupportedServer")
        /// A reply is not valid RESP3, does not fit the command, or is over a limit.
        public static let malformedReply = Code(description: "malformedReply")
        /// The server has not had its data for long enough to know earlier records.
        public static let historyUnknown = Code(description: "historyUnknown")
        /// The server evicts keys before they expire when its memory is full.
        public static let evictsKeys = Code(description: "evictsKeys")
        /// The client was closed.
        public static let closed = Code(description: "closed")
    }

    public let code: Code
    public let message: String
    /// The first word of the server's error, such as `READONLY`; `nil` for other failures.
    public let serverCode: String?
    /// The time after which the command may work; `nil` if unknown.
    public let retryAfter: Duration?
    public let cause: (any Error)?

    init(
        _ code: Code,
        _ message: String,
        serverCode: String? = nil,
        retryAfter: Duration? = nil,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.serverCode = serverCode
        self.retryAfter = retryAfter
        self.cause = cause
    }
}

extension RedisError: ClassifiedError {
    /// Transient if another attempt may reach the server; permanent if someone must change something.
    public var classification: Classification {
        let isUnsent = code == .unreachable || code == .tooManyCommands || code == .closed
        let isTemporary =
            isUnsent || code == .outcomeUnknown || code == .historyUnknown || isPassing
        return Classification(
            isTemporary && code != .closed ? .transient : .permanent,
            reason: "redis \(serverCode ?? code.description)",
            retryAfter: retryAfter,
            isUnsent: isUnsent
        )
    }

    /// Whether the server itself says that its state is temporary: it is loading its data, or running a script.
    private var isPassing: Bool {
        serverCode.map { ["LOADING", "BUSY", "TRYAGAIN", "MASTERDOWN"].contains($0) } ?? false
    }
}

extension RedisError {
    static func refused(_ serverCode: String) -> RedisError {
        RedisError(
            .refused,
            "The Redis server replied with the error \(serverCode). Its log or its user's permissions (ACL) say "
                + "more.",
            serverCode: serverCode
        )
    }

    static let closed = RedisError(.closed, "The Redis client was closed. Make another one.")

    static func outcomeUnknown(_ reason: String, cause: (any Error)? = nil) -> RedisError {
        RedisError(
            .outcomeUnknown,
            "\(reason) The command was sent, and whether it was carried out is unknown.",
            cause: cause
        )
    }

    static func unreachable(_ place: String, cause: (any Error)?) -> RedisError {
        RedisError(
            .unreachable,
            "No connection to the Redis server at \(place) could be made in time. Nothing was sent. "
                + ((cause as? RedisError)?.message ?? "Check that it runs and can be reached."),
            cause: cause
        )
    }
}
#endif
