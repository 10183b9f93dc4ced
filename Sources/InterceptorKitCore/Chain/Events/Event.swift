/// Something that happened to a call.
///
/// Any interceptor may emit events with its own names and attributes. Something that takes time is an ``Activity``,
/// which begins with one event and ends with exactly one event; ``phase`` tells them apart.
public struct Event: Sendable {
    /// The name of an event.
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
        /// A truth value.
        case flag(Bool)
        /// A code whose text is made only when it is read, such as `404 Not Found` for 404. It equals the same text.
        /// The closure must capture nothing, so that it needs no allocation.
        case code(Int, text: @Sendable (Int) -> String)
    }

    /// The way in which an activity ended.
    public enum Ending: String, Hashable, Sendable {
        /// The work was completed.
        case completed
        /// The work threw an error.
        case failed
        /// The caller cancelled the work, which isn't an error.
        case cancelled
        /// Reading stopped early, for example because a response's body was released.
        case abandoned
    }

    /// Whether an event is a moment, or the beginning or end of an activity.
    public enum Phase: Hashable, Sendable {
        /// Something instantaneous, such as a decision.
        case moment
        /// ``Event/activity`` began.
        case began
        /// ``Event/activity`` ended.
        case ended(Ending)
    }

    /// The name of the event.
    public let name: Name
    /// Whether the event is a moment, or the beginning or end of an activity.
    public let phase: Phase
    /// The activity that began or ended, or that contains the moment; `nil` for a moment outside any activity.
    public let activity: Activity?
    /// The interceptor or transport that reports the event.
    public var source: String { reporter ?? activity?.source ?? "" }
    // `nil` for the activity's own source, which is then not copied.
    private let reporter: String?
    /// The call that the event belongs to.
    public let call: Call.ID
    /// The number of the event's attempt, from 1. The end of a call has the number of its last attempt, if its output
    /// or error conforms to ``AttemptHistory``.
    public let attempt: Int
    /// The time of the event, on the clock of the call's runtime.
    public let instant: Runtime.Instant
    /// Details, by key. Keys follow the OpenTelemetry conventions where they exist.
    public let attributes: Attributes

    init(
        _ name: Name,
        _ phase: Phase,
        of activity: Activity?,
        from reporter: String?,
        call: Call.ID,
        attempt: Int,
        at instant: Runtime.Instant,
        _ attributes: consuming Attributes
    ) {
        self.name = name
        self.phase = phase
        self.activity = activity
        self.reporter = reporter
        self.call = call
        self.attempt = attempt
        self.instant = instant
        self.attributes = attributes
    }
}

extension Event.Name {
    /// A call entered its pipeline; `input` is the input's summary, if it has one (``Summarizable``).
    public static let callBegan: Self = "call.began"
    /// A call left its pipeline. The attributes are `input` as at the beginning; `duration`; `output` (also of an error
    /// that stands for an output), or `error.type` and `error.message`; and `stop_reason` if something other than the
    /// maximum number of attempts prevented a retry. The attempt is the call's last.
    public static let callEnded: Self = "call.ended"
    /// A stage was entered on the way down.
    public static let entered: Self = "stage.entered"
    /// A stage was left on the way up; `output` is the output's summary, if it has one (``Summarizable``).
    public static let left: Self = "stage.left"
    /// A stage threw: `error.type` names the error's type, `error.message` is its description without secrets.
    public static let failed: Self = "stage.failed"
    /// A stage was left because the caller's task was cancelled.
    public static let cancelled: Self = "stage.cancelled"
    /// An attempt began, at a stage that may make several; `input` is the input's summary, if it has one.
    public static let attemptBegan: Self = "attempt.began"
    /// An attempt ended; `output` or `error.type` states the result.
    public static let attemptEnded: Self = "attempt.ended"
    /// A wait began, with its `reason`, and `delay` if known.
    public static let waitBegan: Self = "wait.began"
    /// A wait ended.
    public static let waitEnded: Self = "wait.ended"
}

extension Event.Value: CustomStringConvertible {
    /// The value as text.
    public var description: String {
        switch self {
        case .text(let text): text
        case .number(let number): "\(number)"
        case .duration(let duration): duration.formattedSeconds
        case .flag(let flag): "\(flag)"
        case .code(let code, let text): text(code)
        }
    }

    /// The text; `nil` for a value of another type.
    public var text: String? {
        switch self {
        case .text, .code: description
        case .number, .duration, .flag: nil
        }
    }

    /// The number; `nil` for a value of another type.
    public var number: Int? { if case .number(let number) = self { number } else { nil } }

    /// The duration; `nil` for a value of another type.
    public var duration: Duration? {
        if case .duration(let duration) = self { duration } else { nil }
    }
}

extension Event.Value: Hashable {
    /// Returns whether both are the same fact; a code equals its text.
    public static func == (left: Event.Value, right: Event.Value) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)): left == right
        case (.duration(let left), .duration(let right)): left == right
        case (.flag(let left), .flag(let right)): left == right
        default: left.text.map { $0 == right.text } ?? false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .number(let number): hasher.combine(number)
        case .duration(let duration): hasher.combine(duration)
        case .flag(let flag): hasher.combine(flag)
        case .text, .code: hasher.combine(text)
        }
    }
}
