extension CircuitBreaker {
    /// Whether calls are let through.
    public struct State: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        /// Every call is.
        public static let closed = State(description: "closed")
        /// None is, until the break is over.
        public static let open = State(description: "open")
        /// One at a time is, as a probe.
        public static let halfOpen = State(description: "half-open")
        /// None is, until it is reset.
        public static let isolated = State(description: "isolated")
    }

    /// How it stands with one authority.
    public struct Status: Sendable, Hashable {
        /// Whether calls are let through.
        public internal(set) var state = State.closed
        /// Why they are not, in a few words without secrets; empty while closed.
        public internal(set) var cause = ""
        /// How long until the next call may be let through; `nil` if it may be now, or nobody knows.
        public internal(set) var retryAfter: Duration?
        /// How many calls the window holds.
        public internal(set) var calls = 0
        /// How many of them failed.
        public internal(set) var failures = 0
        /// How many of them were slow.
        public internal(set) var slowCalls = 0
    }

    /// A change of state.
    public struct Change: Sendable, Hashable {
        /// Whose; `nil` for inputs that cannot tell.
        public let authority: String?
        /// What it was.
        public let from: State
        /// What it is now.
        public let to: State
        /// Why it opened, in a few words without secrets; empty when it closed.
        public let cause: String
        /// How long the break is, if it opened.
        public let breakDuration: Duration?
    }
}

extension Circuit.Phase {
    /// Which it is, to be compared for each call.
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

    func status(at now: Runtime.Instant) -> CircuitBreaker.Status {
        let count = count(at: now)
        let next: Runtime.Instant? =
            switch phase {
            case .open(let end): end
            case .halfOpen(let lease, _): lease
            case .closed, .isolated: nil
            }
        return CircuitBreaker.Status(
            state: state,
            cause: cause,
            retryAfter: next.flatMap { $0 > now ? now.duration(to: $0) : nil },
            calls: count.calls,
            failures: count.failures,
            slowCalls: count.slowCalls
        )
    }
}
