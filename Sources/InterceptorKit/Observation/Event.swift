/// Something that happened to a call.
///
/// Events are open: an interceptor of your own may emit its own names and attributes.
public struct Event: Sendable {
    /// What happened.
    public struct Name: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
        public let description: String

        /// Creates a name; by convention `subject.verb` in lower case.
        public init(stringLiteral value: String) { description = value }
    }

    /// A fact about what happened. Nothing secret belongs here.
    public enum Value: Hashable, Sendable {
        /// Words, as a reason.
        case text(String)
        /// A count or code.
        case number(Int)
        /// A length of time.
        case duration(Duration)
        /// Yes or no.
        case flag(Bool)
    }

    /// What happened.
    public let name: Name
    /// The interceptor or transport that says so.
    public let source: String
    /// The call it happened to.
    public let call: Call.ID
    /// The attempt it happened in, from 1.
    public let attempt: Int
    /// When, on the call's runtime.
    public let instant: Runtime.Instant
    /// More about it, by key.
    public let attributes: [String: Value]
}

extension Event.Name {
    /// A stage was entered on the way down.
    public static let entered: Self = "stage.entered"
    /// A stage was left on the way up; `output` says with what, if it can (``Summarizable``).
    public static let left: Self = "stage.left"
    /// A stage was left by throwing; `error.type` names the error's type.
    public static let failed: Self = "stage.failed"
    /// Another attempt will be made: `reason`, `delay`.
    public static let retryScheduled: Self = "retry.scheduled"
    /// No further attempt will be made although the last one failed: `reason`, `rule`, `outcome`.
    public static let retryStopped: Self = "retry.stopped"
    /// A credential was attached.
    public static let credentialAttached: Self = "credential.attached"
    /// A credential was rejected by the server: `reason`.
    public static let credentialRejected: Self = "credential.rejected"
    /// A shared refresh began.
    public static let refreshStarted: Self = "credential.refresh_started"
    /// A shared refresh ended: `outcome`.
    public static let refreshEnded: Self = "credential.refresh_ended"
    /// A signature was added: `key.id`.
    public static let signed: Self = "signature.added"
    /// No signature was added, because a redirect led to another origin.
    public static let signatureWithheld: Self = "signature.withheld"
    /// An outcome was turned into an error of the caller's: `code`.
    public static let errorMapped: Self = "error.mapped"
    /// An error was turned into a response.
    public static let errorRecovered: Self = "error.recovered"
}

extension Event.Value: CustomStringConvertible {
    /// The value as text.
    public var description: String {
        switch self {
        case .text(let text): text
        case .number(let number): "\(number)"
        case .duration(let duration): duration.formattedSeconds
        case .flag(let flag): "\(flag)"
        }
    }
}
