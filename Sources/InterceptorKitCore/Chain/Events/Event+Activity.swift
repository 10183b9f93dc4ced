extension Event {
    /// A part of a call that takes time: an interceptor's pass, an attempt, a wait, a body.
    ///
    /// Activities nest: a call contains its interceptors' passes, each within the one above it.
    public struct Activity: Hashable, Sendable {
        /// The identity of an activity, unique within a runtime.
        public struct ID: Hashable, Sendable, CustomStringConvertible {
            /// The identifier as a number, for formats whose identifiers are numbers.
            public let number: UInt64

            /// Sixteen hexadecimal digits.
            public var description: String {
                let digits = String(number, radix: 16)
                return String(repeating: "0", count: 16 - digits.count) + digits
            }
        }

        /// A kind of activity. Any string can be a kind, as with names of events.
        public struct Kind: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible
        {
            public let description: String

            /// Creates a kind; by convention a noun in lower case.
            public init(stringLiteral value: String) { description = value }

            /// A whole pass of a pipeline.
            public static let call: Self = "call"
            /// A pass of one interceptor, including everything below it.
            public static let interceptor: Self = "interceptor"
            /// One of the attempts of an interceptor that retries or hedges.
            public static let attempt: Self = "attempt"
            /// A pass of the transport: one send, which ends with the response's head.
            public static let transport: Self = "transport"
            /// An intended wait, such as a pause before a retry or a place in a queue.
            public static let wait: Self = "wait"
            /// The arrival of a response's body, which may outlast the call.
            public static let responseBody: Self = "response_body"
        }

        /// The activity's identity.
        public let id: ID
        /// The activity that contains this one; `nil` if there is none.
        public let parent: ID?
        let descriptor: ActivityDescriptor

        /// The kind of activity.
        public var kind: Kind { descriptor.kind }
        /// The name of the interceptor or transport, or the reason for a wait.
        public var name: String { descriptor.name }
        var source: String { descriptor.source }

        /// Returns whether two values are the same activity.
        public static func == (left: Activity, right: Activity) -> Bool {
            left.id == right.id && left.parent == right.parent && left.kind == right.kind
                && left.name == right.name
        }

        public func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }
}

/// The common parts of all activities of one stage, shared between them.
final class ActivityDescriptor: Sendable {
    let kind: Event.Activity.Kind
    let name: String
    let source: String
    // Whether each pass directly below is a separate attempt.
    let makesAttempts: Bool
    let beginning: Event.Name
    private let ended: Event.Name

    /// Creates a descriptor. The source defaults to the name.
    init(
        _ kind: Event.Activity.Kind,
        _ name: String,
        from source: String? = nil,
        makesAttempts: Bool = false
    ) {
        self.kind = kind
        self.name = name
        self.source = source ?? name
        self.makesAttempts = makesAttempts
        // Passes of interceptors and transports have their own event names.
        let isStage = kind == .interceptor || kind == .transport
        beginning = isStage ? .entered : Event.Name("\(kind).began")
        ended = isStage ? .left : Event.Name("\(kind).ended")
    }

    func end(_ ending: Event.Ending) -> Event.Name {
        guard ended == .left else { return ended }
        return switch ending {
        case .failed: .failed
        case .cancelled: .cancelled
        case .completed, .abandoned: .left
        }
    }
}
