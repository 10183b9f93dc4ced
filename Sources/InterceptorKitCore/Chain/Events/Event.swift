/// Something that happened to a call.
///
/// Events are open: an interceptor of your own may emit its own names and attributes. What takes time
/// is an ``Activity``, which one event begins and exactly one ends, however it ends; ``phase`` tells
/// them apart.
public struct Event: Sendable {
    /// What happened.
    public struct Name: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
        public let description: String

        /// Creates a name; by convention `subject.verb` in lower case.
        public init(stringLiteral value: String) { description = value }

        init(_ description: String) { self.description = description }
    }

    /// A fact about what happened. Nothing secret belongs here.
    public enum Value: Sendable {
        /// Words, as a reason.
        case text(String)
        /// A count or code.
        case number(Int)
        /// A length of time.
        case duration(Duration)
        /// Yes or no.
        case flag(Bool)
        /// A code and what makes its text, as `404 Not Found` of 404, made when it is read. It equals
        /// the same words as text. The closure captures nothing, so that it costs no allocation.
        case code(Int, text: @Sendable (Int) -> String)
    }

    /// How an activity ended.
    public enum Ending: String, Hashable, Sendable {
        /// It did what it was for.
        case completed
        /// It threw an error.
        case failed
        /// The caller no longer wanted it, which is no error.
        case cancelled
        /// Nobody read on, as of a response's body that was released.
        case abandoned
    }

    /// Whether an event is a moment, or one of the two ends of an activity.
    public enum Phase: Hashable, Sendable {
        /// Something happened at once, as a decision.
        case moment
        /// ``Event/activity`` began.
        case began
        /// ``Event/activity`` ended.
        case ended(Ending)
    }

    /// What happened.
    public let name: Name
    /// Whether it is a moment, or one of the two ends of an activity.
    public let phase: Phase
    /// The activity that began or ended, or in which the moment came; `nil` for a moment outside of
    /// all.
    public let activity: Activity?
    /// The interceptor or transport that says so.
    public var source: String { speaker ?? activity?.name ?? "" }
    // Absent where the activity itself says so, whose name then is not copied.
    private let speaker: String?
    /// The call it happened to.
    public let call: Call.ID
    /// The attempt it happened in, from 1.
    public let attempt: Int
    /// When, on the call's runtime.
    public let instant: Runtime.Instant
    /// More about it, by key. Keys are those of the OpenTelemetry conventions where these have one.
    public let attributes: Attributes

    init(
        _ name: Name,
        _ phase: Phase,
        of activity: Activity?,
        from speaker: String?,
        call: Call.ID,
        attempt: Int,
        at instant: Runtime.Instant,
        _ attributes: consuming Attributes
    ) {
        self.name = name
        self.phase = phase
        self.activity = activity
        self.speaker = speaker
        self.call = call
        self.attempt = attempt
        self.instant = instant
        self.attributes = attributes
    }
}
