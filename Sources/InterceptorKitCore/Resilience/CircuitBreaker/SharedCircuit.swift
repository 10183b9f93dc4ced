import InterceptorKitConcurrency
import Synchronization

/// The circuit of one authority, shared by many calls at once.
final class SharedCircuit: Sendable {
    private let authority: String?
    private let circuit: Lock<Circuit>
    private let isTimed: Bool
    private let breakDuration: CircuitBreaker.BreakDuration?

    init(
        _ authority: String?,
        _ circuit: Circuit,
        _ breakDuration: CircuitBreaker.BreakDuration?
    ) {
        self.authority = authority
        self.circuit = Lock(circuit)
        self.breakDuration = breakDuration
        isTimed = circuit.policy.slowCallDuration != nil
    }

    func status(at now: Runtime.Instant) -> CircuitBreaker.Status {
        circuit.withLock { $0.status(at: now) }
    }

    func enter(
        _ call: Call
    ) throws(CircuitBreakerError) -> (AdmittedCall, CircuitBreaker.Change?) {
        // The fast path: the circuit is nearly always closed.
        if let permission = circuit.withLock({ $0.watch() }) {
            return (admitted(permission, call), nil)
        }
        let (entry, change) = circuit.withLock { circuit in
            let before = circuit.phase.kind
            let entry = circuit.enter { call.runtime.now }
            return (entry, self.change(from: before, circuit))
        }
        switch entry {
        case .permitted(let permission):
            return (admitted(permission, call), change)
        case .isolated(let end):
            let wait = end.map { max(.zero, call.runtime.now.duration(to: $0)) }
            throw refusal(.isolated(authority, retryAfter: wait), call)
        case .refused(let end):
            let wait = max(.zero, call.runtime.now.duration(to: end))
            let cause = circuit.withLock { $0.cause }
            throw refusal(.open(authority, retryAfter: wait, cause: cause), call)
        }
    }

    /// Admits a call whatever the state is; `nil` if its result would not be counted.
    func watch(_ call: Call) -> AdmittedCall? {
        circuit.withLock { $0.watch() }.map { admitted($0, call) }
    }

    func leave(
        _ permission: Circuit.Permission,
        _ health: Circuit.Health,
        _ call: Call,
        mayOpen: Bool
    ) -> CircuitBreaker.Change? {
        let now = call.runtime.now
        if health == .good, circuit.withLock({ $0.countSuccess(permission, at: now) }) {
            return nil
        }
        let change = change { circuit in
            circuit.leave(
                permission,
                health,
                at: now,
                mayOpen: mayOpen,
                fraction: call.runtime.randomFraction
            )
        }
        guard let change, change.to == .open, let breakDuration else { return change }
        return lengthen(change, breakDuration, health, at: now, call)
    }

    // Outside the lock, because the closure is foreign code. Until it returns, the break has the policy's length.
    private func lengthen(
        _ change: CircuitBreaker.Change,
        _ breakDuration: CircuitBreaker.BreakDuration,
        _ health: Circuit.Health,
        at now: Runtime.Instant,
        _ call: Call
    ) -> CircuitBreaker.Change {
        let (status, number) = circuit.withLock { ($0.status(at: now), $0.openings) }
        guard status.state == .open else { return change }
        let duration = breakDuration(status, number)
        let fraction = call.runtime.randomFraction()
        return circuit.withLock { circuit in
            circuit.setBreak(duration, number: number, after: health, at: now, fraction: fraction)
            return CircuitBreaker.Change(
                authority: authority,
                from: change.from,
                to: change.to,
                cause: change.cause,
                breakDuration: circuit.period
            )
        }
    }

    /// Refuses a call to an authority that is isolated with all others.
    func refuse(_ call: Call) -> CircuitBreakerError {
        refusal(.isolated(authority, until: "the breaker's mode changes"), call)
    }

    func isIsolated(at now: Runtime.Instant) -> Bool {
        circuit.withLock { $0.isIsolated(at: now) }
    }

    /// Changes the circuit, and returns the change of its state, if any.
    func change(_ body: (inout Circuit) -> Void) -> CircuitBreaker.Change? {
        circuit.withLock { circuit in
            let before = circuit.phase.kind
            body(&circuit)
            return change(from: before, circuit)
        }
    }

    private func admitted(_ permission: Circuit.Permission, _ call: Call) -> AdmittedCall {
        AdmittedCall(circuit: self, permission: permission, began: isTimed ? call.runtime.now : nil)
    }

    private func change(
        from before: Circuit.Phase.Kind,
        _ circuit: Circuit
    ) -> CircuitBreaker.Change? {
        let kind = circuit.phase.kind
        guard kind != before else { return nil }
        return CircuitBreaker.Change(
            authority: authority,
            from: before.state,
            to: kind.state,
            cause: circuit.cause,
            breakDuration: circuit.breakLength
        )
    }

    private func refusal(_ error: CircuitBreakerError, _ call: Call) -> CircuitBreakerError {
        call.emit(.circuitRejected, error.attributes)
        return error
    }
}

/// An admitted call, until it reports its result.
struct AdmittedCall: Sendable {
    fileprivate let circuit: SharedCircuit
    fileprivate let permission: Circuit.Permission
    /// The start of the call, if slow calls count.
    let began: Runtime.Instant?

    func leave(
        _ health: Circuit.Health,
        _ call: Call,
        mayOpen: Bool
    ) -> CircuitBreaker.Change? {
        circuit.leave(permission, health, call, mayOpen: mayOpen)
    }
}
