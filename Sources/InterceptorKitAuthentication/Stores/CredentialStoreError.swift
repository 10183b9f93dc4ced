public import InterceptorKit

/// A failure of a store to keep a credential or a signing key, to return it, or to let it be refreshed.
public struct CredentialStoreError: CodedError, Sendable {
    /// The kind of failure.
    public struct Code: ErrorCode {
        public let description: String

        /// Creates a kind of failure, for your own stores.
        public init(description: String) { self.description = description }

        /// A refresh token was sent and its outcome was not stored, for example because a process died. The token may
        /// have been rotated, so someone has to sign in.
        public static let refreshOutcomeUnknown = Code(description: "refreshOutcomeUnknown")
        /// The server no longer accepts the shared refresh token. Someone has to sign in.
        public static let signInRequired = Code(description: "signInRequired")
        /// The stored data is incomplete or damaged.
        public static let corrupt = Code(description: "corrupt")
        /// Users other than the owner may read or write the stored data, or another user owns it.
        public static let unsafeFile = Code(description: "unsafeFile")
        /// The stored data cannot be read.
        public static let cannotRead = Code(description: "cannotRead")
        /// The store cannot be written.
        public static let cannotWrite = Code(description: "cannotWrite")
        /// Another process held the lock for too long.
        public static let lockTimedOut = Code(description: "lockTimedOut")
        /// The store's server cannot be reached or cannot answer.
        public static let unreachable = Code(description: "unreachable")
        /// The store's server sent an invalid response.
        public static let malformedResponse = Code(description: "malformedResponse")
        /// Another process replaced the credential before this one could refresh it.
        public static let superseded = Code(description: "superseded")
    }

    public let code: Code
    public let message: String
    public let cause: (any Error)?

    /// Creates an error, for your own stores.
    /// - Parameters:
    ///   - code: The kind of failure.
    /// - message: The failure and the remedy, in whole sentences without secrets.
    ///   - cause: The underlying error. Defaults to none.
    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }
}

extension CredentialStoreError: SessionEndingError {
    /// Whether the server refused the refresh token for good (``Code-swift.struct/signInRequired``); the ``cause`` is
    /// its response, such as an ``OAuthError`` with `invalid_grant`.
    ///
    /// `false` for ``Code-swift.struct/refreshOutcomeUnknown``, which a time limit or a lost connection may have
    /// caused.
    public var endsSession: Bool { code == .signInRequired }

    /// Always `true`: another process may sign in, so the store is asked again.
    public var canResume: Bool { true }

    /// Whether no process can get a credential until someone signs in, in any of them: the server refused the refresh
    /// token, or the token's outcome is unknown, so it is not sent again.
    public var requiresSignIn: Bool { code == .refreshOutcomeUnknown || code == .signInRequired }
}

extension CredentialStoreError {
    /// The error for a refresh token that was already used, with an unknown outcome.
    public static let refreshOutcomeUnknown = CredentialStoreError(
        .refreshOutcomeUnknown,
        "The refresh token was sent once and the result was not stored: a process ended, or a "
            + "response was lost. The server may have replaced the token, so it is not sent again. Someone must "
            + "sign in; every process that shares the store then goes on."
    )

    /// The error for a refresh token that was replaced or removed because someone signed in or out meanwhile.
    public static let superseded = CredentialStoreError(
        .superseded,
        "The credential was replaced or removed by another process meanwhile. What is kept now will be "
            + "used by the next call."
    )

    static func refreshOutcomeUnknown(after cause: any Error) -> CredentialStoreError {
        CredentialStoreError(.refreshOutcomeUnknown, refreshOutcomeUnknown.message, cause: cause)
    }

    static func signInRequired(by cause: any Error) -> CredentialStoreError {
        CredentialStoreError(
            .signInRequired,
            "The server no longer accepts the shared refresh token. Someone must sign in; every process "
                + "that shares the store then goes on.",
            cause: cause
        )
    }
}
