/// An error for a request that could not get a credential, or a server that did not prove that it knows the credential.
public struct TokenError: CodedError, Sendable, Hashable {
    /// The kind of failure.
    public struct Code: ErrorCode {
        public let description: String

        /// Creates a kind of failure, for your own sources.
        public init(description: String) { self.description = description }

        /// The call requires a credential and there is none.
        public static let missingCredential = Code(description: "missingCredential")
        /// The call requires a credential; the only one has expired by the local clock, and its source has no other.
        public static let expiredCredential = Code(description: "expiredCredential")
        /// Someone signed out here, before or during the wait for the credential.
        public static let signedOut = Code(description: "signedOut")
        /// The credential service said that the session is over; for sources to throw.
        public static let signInRequired = Code(description: "signInRequired")
        /// No new credential arrived in time.
        public static let refreshTimedOut = Code(description: "refreshTimedOut")
        /// The refresh was cancelled by someone other than the caller.
        public static let refreshCancelled = Code(description: "refreshCancelled")
        /// The server repeatedly rejected new credentials.
        public static let excessiveRefresh = Code(description: "excessiveRefresh")
        /// A credential cannot be sent, or its expiry is impossible.
        public static let invalidCredential = Code(description: "invalidCredential")
    }

    public let code: Code
    public let message: String
    /// The tried sources of a chain, in order, each with its reason, as in `profile: It has no region.`; empty for a
    /// single source.
    public let tried: [String]

    /// Creates an error, for your own sources.
    /// - Parameters:
    ///   - code: The kind of failure; ``Code-swift.struct/signInRequired`` ends the session.
    /// - message: The failure and the remedy, in whole sentences without secrets.
    ///   - tried: The tried sources of a chain, each with its reason. Defaults to none.
    public init(_ code: Code, _ message: String, tried: [String] = []) {
        self.code = code
        self.message = message
        self.tried = tried
    }
}

extension TokenError: SessionEndingError {
    /// Whether the code is ``Code-swift.struct/signInRequired``, which a source throws if its service said so.
    public var endsSession: Bool { code == .signInRequired }

    /// Whether the session is over, there is no credential or only an expired one, or new credentials do not help.
    public var requiresSignIn: Bool {
        let others: [Code] = [
            .missingCredential, .expiredCredential, .signedOut, .excessiveRefresh,
        ]
        return endsSession || others.contains(code)
    }
}

extension TokenError {
    static let missingCredential = TokenError(
        .missingCredential,
        "The call requires a credential and the source has none. Sign in first, or send it with "
            + "credentialUse = .automatic."
    )

    static let expiredCredential = TokenError(
        .expiredCredential,
        "The call requires a credential, the one there is has expired, and the source has no other. Sign in "
            + "again, or send it with credentialUse = .automatic, which sends an expired one. If it has not "
            + "expired, set the clock here."
    )

    static let signedOut = TokenError(
        .signedOut,
        "Someone signed out, so there is no credential and none is refreshed. Sign in first, or send it "
            + "with credentialUse = .automatic."
    )

    static let refreshTimedOut = TokenError(
        .refreshTimedOut,
        "No new credential came in the time this call had for it. The refresh goes on and its result "
            + "will be used by later calls. If the credential's source sends through this very client "
            + "from a task that inherits nothing (Task.detached, a callback), the refresh waits for "
            + "itself: send such requests with credentialUse = .none."
    )

    static let refreshCancelled = TokenError(
        .refreshCancelled,
        "The refresh of the credential was cancelled, though not by this call: probably the source's "
            + "own client was told to end its calls."
    )

    static func excessiveRefresh(_ limit: Int, _ window: Duration) -> TokenError {
        TokenError(
            .excessiveRefresh,
            "The server rejected \(limit) credentials within \(window.formattedSeconds), each of which was "
                + "new, so another would not help. Compare what the service expects, and the clocks."
        )
    }

    static func invalidCredential(_ reason: String) -> TokenError {
        TokenError(
            .invalidCredential,
            "A credential cannot be used: \(reason). What there was before is kept."
        )
    }
}
