extension CircuitBreaker {
    /// The state of a circuit, which decides whether calls are admitted.
    public struct State: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        /// Every call is let through.
        public static let closed = State(description: "closed")
        /// No call is let through until the break is over.
        public static let open = State(description: "open")
        /// One call at a time is let through, as a probe.
        public static let halfOpen = State(description: "half-open")
        /// No call is let through until the authority is reset, or until the time of the isolation is over; the status
        /// is half-open then.
        public static let isolated = State(description: "isolated")
    }

    /// The status of one authority.
    public struct Status: Sendable, Hashable {
        /// The state, which decides whether calls are let through.
        public internal(set) var state = State.closed
        /// The reason why the circuit isn't closed, in a few words without secrets; empty while it is closed.
        public internal(set) var cause = ""
        /// The time until the next call may be let through; `nil` if that is now, or unknown.
        public internal(set) var retryAfter: Duration?
        /// The number of calls in the window.
        public internal(set) var calls = 0
        /// The number of these calls that failed.
        public internal(set) var failures = 0
        /// The number of these calls that were slow.
        public internal(set) var slowCalls = 0
    }

    /// A change of state.
    public struct Change: Sendable, Hashable {
        /// The authority; `nil` for inputs without one.
        public let authority: String?
        /// The previous state.
        public let from: State
        /// The new state.
        public let to: State
        /// The reason why the circuit opened, in a few words without secrets; empty when it closed.
        public let cause: String
        /// The duration of the break if it opened, or of an isolation that ends by itself.
        public let breakDuration: Duration?
    }
}

extension Circuit.Phase {
    /// The phase without its values, cheap to compare for each call.
    enum Kind {
        case closed, open, halfOpen, isolated

        var state: CircuitBreaker.State {
            switch self {
            case .closed: .closed
            case .open: .open
            case .halfOpen: .halfOpen
            case .isolated: .isolated
            }
        }
    }

    var kind: Kind {
        switch self {
        case .closed: .closed
        case .open: .open
        case .halfOpen: .halfOpen
        case .isolated: .isolated
        }
    }
}

extension Circuit {
    var state: CircuitBreaker.State { phase.kind.state }

    /// The length of the break or isolation; `nil` while calls pass, or if only a reset ends it.
    var breakLength: Duration? {
        switch phase {
        case .open, .isolated(.some): period
        case .closed, .halfOpen, .isolated(nil): nil
        }
    }

    func status(at now: Runtime.Instant) -> CircuitBreaker.Status {
        let count = count(at: now)
        let next: Runtime.Instant? =
            switch phase {
            case .open(let end): end
            case .halfOpen(let lease, _): lease
            case .isolated(let end): end
            case .closed: nil
            }
        // An isolation of a time ends with the next call.
        let isOver = state == .isolated && !isIsolated(at: now)
        return CircuitBreaker.Status(
            state: isOver ? .halfOpen : state,
            cause: cause,
            retryAfter: next.flatMap { $0 > now ? now.duration(to: $0) : nil },
            calls: count.calls,
            failures: count.failures,
            slowCalls: count.slowCalls
        )
    }
}
