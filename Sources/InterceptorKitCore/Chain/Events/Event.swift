/// Something that happened to a call.
///
/// Events are open: your own interceptor may emit its own names and attributes. Something that takes time is
/// an ``Activity``, which one event begins and exactly one event ends, however it ends; ``phase`` tells them
/// apart.
public struct Event: Sendable {
    /// The name of an event, which says what happened.
    public struct Name: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
        public let description: String

        /// Creates a name; by convention `subject.verb` in lower case.
        public init(stringLiteral value: String) { description = value }

        init(_ description: String) { self.description = description }
    }

    /// The value of an attribute. Don't put secrets here.
    public enum Value: Sendable {
        /// Text, such as a reason.
        case text(String)
        /// A count or code.
        case number(Int)
        /// A duration.
        case duration(Duration)
        /// Yes or no.
        case flag(Bool)
        /// A code whose text is made only when it is read, such as `404 Not Found` for 404. It equals the
        /// same text. The closure captures nothing, so it costs no allocation.
        case code(Int, text: @Sendable (Int) -> String)
    }

    /// The way an activity ended.
    public enum Ending: String, Hashable, Sendable {
        /// It completed its work.
        case completed
        /// It threw an error.
        case failed
        /// The caller cancelled it, which isn't an error.
        case cancelled
        /// Nobody read on, for example because a response's body was released.
        case abandoned
    }

    /// Whether an event is a moment, or the beginning or end of an activity.
    public enum Phase: Hashable, Sendable {
        /// Something happened at once, such as a decision.
        case moment
        /// ``Event/activity`` began.
        case began
        /// ``Event/activity`` ended.
        case ended(Ending)
    }

    /// The name, which says what happened.
    public let name: Name
    /// Whether it is a moment, or the beginning or end of an activity.
    public let phase: Phase
    /// The activity that began or ended, or that contains the moment; `nil` for a moment outside of any.
    public let activity: Activity?
    /// The interceptor or transport that reports the event.
    public var source: String { speaker ?? activity?.name ?? "" }
    // Absent where the activity itself says so, whose name then is not copied.
    private let speaker: String?
    /// The call that the event belongs to.
    public let call: Call.ID
    /// The number of the attempt that the event belongs to, from 1. The end of a call belongs to its last attempt, as
    /// far as its output or error tells (``AttemptHistory``).
    public let attempt: Int
    /// The time of the event, on the call's runtime.
    public let instant: Runtime.Instant
    /// Details, by key. Keys follow the OpenTelemetry conventions where these have one.
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
