/// A failure in words for the person who waits for the answer.
///
/// ```swift
/// let summary = FailureSummary(error)
/// show(summary.title, summary.advice, retryButton: summary.isRetryable)
/// ```
///
/// Nothing in it comes from a server or a request, so it never shows a secret. To show it in other
/// languages, look ``titleKey`` and ``adviceKey`` up in the app's own tables.
public struct FailureSummary: Sendable, Hashable {
    /// What the person has to do with.
    public struct Kind: Hashable, Sendable, CaseIterable, CustomStringConvertible {
        public let description: String
        let title: String
        let advice: String

        /// The kinds of this library.
        public static let allCases: [Kind] = [
            offline, timedOut, insecure, busy, serverFault, expiredSession, refused,
            unexpectedAnswer, cancelled, unknown,
        ]
    }

    /// What the person has to do with.
    public let kind: Kind
    /// Whether trying again, as by a button, is likely to help.
    public let isRetryable: Bool
    /// How long to wait before, if anybody knows.
    public let retryAfter: Duration?

    /// What happened, in a short sentence of English.
    public var title: String { kind.title }
    /// What to do, in a sentence of English.
    public var advice: String { kind.advice }
    /// Names the title in tables of other languages, as `failure.offline.title`.
    public var titleKey: String { "failure.\(kind).title" }
    /// Names the advice in tables of other languages, as `failure.offline.advice`.
    public var adviceKey: String { "failure.\(kind).advice" }

    /// Says what an error is to a person. An error of your own is understood if it is a
    /// ``ClassifiedError``.
    public init(_ error: any Error) {
        let classification = (error as? any ClassifiedError)?.classification
        kind = Kind(error, classification?.kind)
        retryAfter = classification?.retryAfter
        isRetryable = [.offline, .timedOut, .busy, .serverFault, .cancelled, .unknown]
            .contains(kind)
    }
}

extension FailureSummary.Kind {
    /// The service cannot be reached.
    public static let offline = Self(
        description: "offline",
        title: "The service cannot be reached.",
        advice: "Check your connection to the internet and try again."
    )
    /// No answer came in time.
    public static let timedOut = Self(
        description: "timedOut",
        title: "The answer takes too long.",
        advice: "Try again in a moment."
    )
    /// The connection is not safe.
    public static let insecure = Self(
        description: "insecure",
        title: "The connection is not safe.",
        advice: "Use another network, and check the date and time of this device."
    )
    /// The service has too much to do.
    public static let busy = Self(
        description: "busy",
        title: "The service is busy.",
        advice: "Wait a little and try again."
    )
    /// The service has a problem of its own.
    public static let serverFault = Self(
        description: "serverFault",
        title: "The service has a problem.",
        advice: "It is not your fault. Try again in a few minutes."
    )
    /// Someone must sign in.
    public static let expiredSession = Self(
        description: "expiredSession",
        title: "You are signed out.",
        advice: "Sign in again to go on."
    )
    /// The service does not do what was asked.
    public static let refused = Self(
        description: "refused",
        title: "This cannot be done.",
        advice: "Check what you entered."
    )
    /// The service answered with something else.
    public static let unexpectedAnswer = Self(
        description: "unexpectedAnswer",
        title: "The answer cannot be understood.",
        advice: "Update the app, or try again later."
    )
    /// It was stopped on this side.
    public static let cancelled = Self(
        description: "cancelled",
        title: "This was stopped.",
        advice: "Start it again if you still want it."
    )
    /// Anything else.
    public static let unknown = Self(
        description: "unknown",
        title: "Something went wrong.",
        advice: "Try again. If it stays like this, tell those who make the app."
    )

    fileprivate init(_ error: any Error, _ found: Classification.Kind?) {
        switch error {
        case is CancellationError: self = .cancelled
        case FailurePattern.expiredSession: self = .expiredSession
        case FailurePattern.transport(.tls): self = .insecure
        case FailurePattern.timedOut: self = .timedOut
        case FailurePattern.offline: self = .offline
        case FailurePattern.unexpectedAnswer: self = .unexpectedAnswer
        case _ where found == .throttled || found == .rejected: self = .busy
        case FailurePattern.serverFault: self = .serverFault
        case _ where found == .transient: self = .busy
        case is ResponseError, is HTTP.RequestError: self = .refused
        default: self = .unknown
        }
    }
}
