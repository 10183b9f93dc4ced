/// A failure of a store of responses or of shared state.
///
/// Stores of credentials or keys throw the `CredentialStoreError` of `InterceptorKitAuthentication`.
public struct StoreError: CodedError, Sendable {
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
        /// The store's server cannot be reached, or refused the request.
        public static let unreachable = Code(description: "unreachable")
        /// The store did not answer in time.
        public static let timedOut = Code(description: "timedOut")
        /// The data stored under the record's name is not such a record.
        public static let malformedRecord = Code(description: "malformedRecord")
        /// The store has no room for another record.
        public static let full = Code(description: "full")
        /// The server's response is invalid, or too large.
        public static let malformedResponse = Code(description: "malformedResponse")
        /// A watch of the store ended early.
        public static let watchEnded = Code(description: "watchEnded")
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
}

extension StoreError: ClassifiedError {
    /// Transient if the store may answer or have room later; permanent if someone must change something.
    public var classification: Classification {
        let isTemporary = [.unreachable, .timedOut, .full, .watchEnded].contains(code)
        return isTemporary ? .transient("store \(code)") : .permanent("store \(code)")
    }
}
