extension Event {
    /// Something of a call that takes time: a pass of an interceptor, an attempt, a wait, a body.
    ///
    /// Activities nest: a call holds its interceptors' passes, each within the one above it.
    public struct Activity: Hashable, Sendable {
        /// Tells one activity of a runtime from all others.
        public struct ID: Hashable, Sendable, CustomStringConvertible {
            /// The identifier as a number, for formats whose identifiers are numbers.
            public let number: UInt64

            /// Sixteen hexadecimal digits.
            public var description: String {
                let digits = String(number, radix: 16)
                return String(repeating: "0", count: 16 - digits.count) + digits
            }
        }

        /// What sort of activity it is. Open, as names of events are.
        public struct Kind: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible
        {
            public let description: String

            /// Creates a kind; by convention a noun in lower case.
            public init(stringLiteral value: String) { description = value }

            /// A whole pass of a pipeline.
            public static let call: Self = "call"
            /// A pass of one interceptor, all below it included.
            public static let interceptor: Self = "interceptor"
            /// One of the attempts that an interceptor which repeats or races makes.
            public static let attempt: Self = "attempt"
            /// A pass of the transport: one send, until the response's head.
            public static let transport: Self = "transport"
            /// Time in which nothing is done on purpose: a pause before a retry, a place in a queue.
            public static let wait: Self = "wait"
            /// The arrival of a response's body, which may outlast the call.
            public static let responseBody: Self = "response_body"
        }

        /// Tells it from all others.
        public let id: ID
        /// The activity it is part of; `nil` for one that stands alone.
        public let parent: ID?
        let descriptor: ActivityDescriptor

        /// What sort of activity it is.
        public var kind: Kind { descriptor.kind }
        /// What does it: the interceptor's or transport's name, or what is waited for.
        public var name: String { descriptor.name }

        /// Whether both are the same activity.
        public static func == (left: Activity, right: Activity) -> Bool {
            left.id == right.id && left.parent == right.parent && left.kind == right.kind
                && left.name == right.name
        }

        public func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }
}

/// What is the same of all activities of one stage, made once.
final class ActivityDescriptor: Sendable {
    let kind: Event.Activity.Kind
    let name: String
    // Each pass right below is an attempt of its own.
    let makesAttempts: Bool
    let beginning: Event.Name
    private let ended: Event.Name

    init(_ kind: Event.Activity.Kind, _ name: String, makesAttempts: Bool = false) {
        self.kind = kind
        self.name = name
        self.makesAttempts = makesAttempts
        // Passes of stages have had names of their own from the start.
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
