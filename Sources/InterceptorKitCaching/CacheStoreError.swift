public import InterceptorKit

/// Why a store of responses could not do what it was asked.
public struct CacheStoreError: CodedError, Sendable {
    /// The kind of failure.
    public struct Code: ErrorCode {
        /// The error that has such codes.
        public typealias Failure = CacheStoreError

        public let description: String

        /// Names a kind of failure, for stores of your own.
        public init(description: String) { self.description = description }

        /// The store's folder belongs to someone else, or others may write to it.
        public static let unsafeFolder = Code(description: "unsafeFolder")
        /// What is stored cannot be read.
        public static let cannotRead = Code(description: "cannotRead")
        /// Nothing can be written.
        public static let cannotWrite = Code(description: "cannotWrite")
        /// There is no room for what was to be written: the disk is full, or a limit on files reached.
        public static let noSpace = Code(description: "noSpace")
        /// A response turned out to be larger than the store takes.
        public static let tooLarge = Code(description: "tooLarge")
        /// What is stored was changed while it was being read.
        public static let damaged = Code(description: "damaged")
    }

    /// The kind of failure.
    public let code: Code
    /// What happened and what to do, in whole sentences.
    public let message: String
    /// What led to it, if that was an error.
    public let cause: (any Error)?

    /// Creates an error, for stores of your own.
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: What happened and what to do, in whole sentences; nothing secret.
    ///   - cause: What led to it. Defaults to nothing.
    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    static func tooLarge(_ limit: Int) -> CacheStoreError {
        CacheStoreError(
            .tooLarge,
            "The body is larger than the \(limit) bytes that the store takes of this response. It is "
                + "not stored. Give the store a higher maxEntryBytes if it should be."
        )
    }
}

extension CacheStoreError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}

extension CacheStoreError: CustomReflectable {
    /// The kind of failure, the description and the cause's type.
    public var customMirror: Mirror {
        let cause = cause.map { "\(type(of: $0))" }
        return Mirror(
            self,
            children: ["code": code, "description": description, "cause": cause as Any]
        )
    }
}
