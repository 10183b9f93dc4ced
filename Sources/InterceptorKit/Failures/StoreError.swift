public import InterceptorKit

/// An error of a cache store.
public struct CacheStoreError: CodedError, Sendable {
    /// The kind of failure.
    public struct Code: ErrorCode {
        public let description: String

        /// Creates a kind of failure, for your own stores.
        public init(description: String) { self.description = description }

        /// The store's folder belongs to someone else, or others may write to it.
        public static let unsafeFolder = Code(description: "unsafeFolder")
        /// The stored data cannot be read.
        public static let cannotRead = Code(description: "cannotRead")
        /// The store cannot be written.
        public static let cannotWrite = Code(description: "cannotWrite")
        /// There is no space: the disk is full, or a limit on files is reached.
        public static let noSpace = Code(description: "noSpace")
        /// A response is larger than the store accepts.
        public static let tooLarge = Code(description: "tooLarge")
        /// The stored data changed while it was being read.
        public static let damaged = Code(description: "damaged")
    }

    public let code: Code
    public let message: String
    public let cause: (any Error)?

    /// Creates an error, for your own stores.
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: What happened and what to do, in whole sentences without secrets.
    ///   - cause: The underlying error. Defaults to none.
    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    static func tooLarge(_ limit: Int) -> CacheStoreError {
        CacheStoreError(
            .tooLarge,
            "The body is larger than the \(limit) bytes that the store accepts of this response. It is "
                + "not stored. Give the store a higher maxEntryBytes if it should be."
        )
    }
}
