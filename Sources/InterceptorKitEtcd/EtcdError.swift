public import InterceptorKit

/// Why an etcd cluster could not be asked.
public struct EtcdError: CodedError, Sendable {
    /// The kind of failure.
    public struct Code: ErrorCode {
        /// The error with these codes.
        public typealias Failure = EtcdError

        public let description: String

        /// The cluster cannot be reached or cannot answer.
        public static let unreachable = Code(description: "unreachable")
        /// The response is invalid, or too large.
        public static let malformedResponse = Code(description: "malformedResponse")
        /// A watch ended before its time.
        public static let watchEnded = Code(description: "watchEnded")
        /// The settings cannot work.
        public static let invalidSettings = Code(description: "invalidSettings")
    }

    /// The kind of failure.
    public let code: Code
    /// What happened and what to do, in whole sentences.
    public let message: String
    /// The underlying error, if there is one.
    public let cause: (any Error)?

    init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }
}

extension EtcdError {
    static func refused(_ status: HTTP.Status) -> EtcdError {
        EtcdError(.unreachable, "The etcd cluster answered \(status).")
    }

    static func unreachable(members: Int, cause: (any Error)?) -> EtcdError {
        EtcdError(
            .unreachable,
            "None of the \(members) members of the etcd cluster could be asked.",
            cause: cause
        )
    }

    static func malformed(cause: (any Error)?) -> EtcdError {
        EtcdError(
            .malformedResponse,
            "The server is not an etcd JSON gateway, or its version is not supported (3.4 and "
                + "later are). Check the endpoints.",
            cause: cause
        )
    }

    static func watchEnded(cause: (any Error)? = nil) -> EtcdError {
        EtcdError(
            .watchEnded,
            "The etcd cluster, or a proxy on the way to it, ended a watch before its time.",
            cause: cause
        )
    }
}

extension EtcdError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
