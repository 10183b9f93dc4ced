import InterceptorKitConcurrency
import Synchronization

/// A monitor of the calls to each authority that rejects calls while too many fail.
///
/// It has one circuit for each authority. Clients whose ``CircuitBreakerInterceptor``s use one breaker share its
/// circuits.
///
/// ```swift
/// let breaker = CircuitBreaker()
/// let api = try HTTP.Client(transport: URLSessionTransport()) {
///     RetryInterceptor(policy: .standard)
///     CircuitBreakerInterceptor(breaker)
/// }
/// try breaker.isolate("https://api.example.com")  // nothing is sent there…
/// try breaker.reset("https://api.example.com")  // …until now
/// ```
///
/// For HTTP, name an authority by its `HTTP.Origin`, as above, in any spelling. As text (`String`), it is compared as it
/// is: write it exactly as the calls' inputs say it, which for `HTTP.Request` is scheme and host in lower case, the port
/// unless it is the scheme's default, and nothing after it: `https://api.example.com`, `http://h:8080`. Another text is
/// another authority, to which there are no calls.
public final class CircuitBreaker: Sendable {
    /// Whether the breaker counts calls, and whether it rejects any.
    public enum Mode: UInt8, Sendable, Hashable {
        /// Counts calls, opens and closes.
        case automatic
        /// Counts calls and rejects none, not even for isolated authorities.
        case metricsOnly
        /// Neither counts nor rejects calls.
        case disabled
        /// Rejects all calls to every authority, as if each were isolated, and counts none, until the mode changes: a
        /// reset of an authority lifts nothing.
        case isolated
    }

    /// A closure that computes the length of a break, as Polly's `BreakDurationGenerator`.
    ///
    /// It gets the status of the circuit that just opened, with the counts of the window, and the number of consecutive
    /// breaks, from 1 (one more than Polly's half-open attempts). Its result is limited to the policy's
    /// ``CircuitBreakerPolicy/maxBreakDuration``, varied by ``CircuitBreakerPolicy/jitter``, and at least the server's
    /// `Retry-After`.
    public typealias BreakDuration = @Sendable (_ status: Status, _ number: Int) -> Duration

    /// The rules for opening and closing; the default policy if the given one isn't valid.
    public let policy: CircuitBreakerPolicy

    /// The closure that computes the length of each break; `nil` doubles it from the policy's.
    public let breakDuration: BreakDuration?

    let problem: SettingError?
    private let circuits: PerAuthority<SharedCircuit>
    // Held here so that the table never drops an authority that was isolated manually.
    private let isolated = Lock<[String?: SharedCircuit]>([:])
    private let currentMode: Atomic<UInt8>
    private let listeners = CircuitListeners()

    /// Creates a breaker for any number of authorities.
    /// - Parameters:
    ///   - policy: The rules for opening and closing. Defaults to the default numbers.
    ///   - mode: The mode, which can be changed later. Defaults to automatic.
    ///   - breakDuration: Computes the length of each break. Defaults to `nil`, which doubles the policy's
    ///     ``CircuitBreakerPolicy/breakDuration`` each time a probe fails.
    public init(
        policy: CircuitBreakerPolicy = CircuitBreakerPolicy(),
        mode: Mode = .automatic,
        breakDuration: BreakDuration? = nil
    ) {
        problem = policy.problem
        let policy = problem == nil ? policy : CircuitBreakerPolicy()
        self.policy = policy
        self.breakDuration = breakDuration
        currentMode = Atomic(mode.rawValue)
        circuits = PerAuthority(limit: policy.authorityLimit) { authority in
            SharedCircuit(authority, Circuit(policy: policy), breakDuration)
        }
    }

    /// The mode. A call under way is counted in the mode in which it ends.
    public var mode: Mode {
        get { Mode(rawValue: currentMode.load(ordering: .relaxed)) ?? .automatic }
        set { currentMode.store(newValue.rawValue, ordering: .relaxed) }
    }

    /// The changes of state of all authorities from now on.
    ///
    /// Each reader gets its own sequence, which keeps the last 64 changes for a slow reader and ends when the reader's
    /// task is cancelled. Calls report the same changes as events, except manual ones.
    public var changes: AsyncStream<Change> { listeners.add() }

    /// Rejects all calls to an authority until it is reset, or until a time has passed. Calls under way aren't affected.
    ///
    /// After the time, calls are let through as after a break: first one at a time, as probes. For all authorities at
    /// once, set the ``mode`` to ``Mode/isolated``.
    /// - Parameters:
    ///   - authority: The authority as the calls' inputs say it, as in `https://api.example.com`; `nil` for inputs without
    ///     one.
    ///   - duration: The time for which calls are rejected, from zero to 100 years. Defaults to `nil`, which means until
    ///     `reset(_:)`.
    ///   - runtime: The runtime of the calls. Defaults to the live runtime.
    // Disfavoured, here and below, so that a literal is an `HTTP.Origin` where there is one, which takes any spelling.
    @_disfavoredOverload
    public func isolate(
        _ authority: String? = nil,
        for duration: Duration? = nil,
        runtime: Runtime = .live
    ) {
        let duration = duration.map { min(max(.zero, $0), SettingCheck.longest) }
        let now = runtime.now
        let circuit = circuits[authority]
        changeByHand(circuit) { $0.isolate(for: duration, at: now) }
        isolated.withLock { isolated in
            isolated = isolated.filter { $0.value.isIsolated(at: now) }
            isolated[authority] = circuit
        }
    }

    /// Closes the circuit of an authority and clears its counts.
    /// - Parameter authority: The authority as the calls' inputs say it, as in `https://api.example.com`; `nil` for
    ///   inputs without one.
    @_disfavoredOverload
    public func reset(_ authority: String? = nil) {
        isolated.withLock { _ = $0.removeValue(forKey: authority) }
        guard let circuit = circuits.known(authority) else { return }
        changeByHand(circuit) { $0.reset() }
    }

    /// Returns the status of an authority; closed and empty if no call to it was counted.
    /// - Parameters:
    ///   - authority: The authority as the calls' inputs say it, as in `https://api.example.com`; `nil` for inputs without
    ///     one.
    ///   - runtime: The runtime of the calls. Defaults to the live runtime.
    @_disfavoredOverload
    public func status(of authority: String? = nil, runtime: Runtime = .live) -> Status {
        guard let circuit = circuits.known(authority) else { return Status() }
        return circuit.status(at: runtime.now)
    }

    /// The authorities that have a circuit, in no particular order.
    public var authorities: [String?] { circuits.authorities }

    /// Requests admission for a call.
    /// - Returns: The admitted call, for its report; `nil` if its result is not counted.
    func enter(
        _ authority: String?,
        _ call: Call
    ) throws(CircuitBreakerError) -> AdmittedCall? {
        let mode = mode
        guard mode != .disabled else { return nil }
        let circuit = circuits[authority]
        guard mode == .automatic else {
            if mode == .isolated { throw circuit.refuse(call) }
            return circuit.watch(call)
        }
        let (admitted, change) = try circuit.enter(call)
        if let change { notify(change, call) }
        return admitted
    }

    func leave(_ admitted: AdmittedCall, _ health: Circuit.Health, _ call: Call) {
        guard let change = admitted.leave(health, call, mayOpen: mode == .automatic) else { return }
        notify(change, call)
    }

    private func changeByHand(_ circuit: SharedCircuit, _ body: (inout Circuit) -> Void) {
        if let change = circuit.change(body) { listeners.notify(change) }
    }

    private func notify(_ change: Change, _ call: Call) {
        listeners.notify(change)
        call.emit(change.eventName, change.attributes)
    }
}

extension Event.Name {
    /// A circuit breaker opened: `authority`, `reason`, `break` (the length of the break).
    public static let circuitOpened: Self = "circuit.opened"
    /// A circuit breaker let a probe through: `authority`, `reason` (the cause of the break).
    public static let circuitHalfOpened: Self = "circuit.half_opened"
    /// A circuit breaker closed: `authority`.
    public static let circuitClosed: Self = "circuit.closed"
    /// A circuit breaker rejected a call: `authority`, `reason` (the code of a ``CircuitBreakerError``), `retry_after`.
    public static let circuitRejected: Self = "circuit.rejected"
}

extension CircuitBreakerError {
    var attributes: Event.Attributes {
        var attributes: Event.Attributes = ["reason": .text(code.description)]
        attributes.authority = authority
        attributes.retryAfter = retryAfter
        return attributes
    }
}

extension CircuitBreaker.Change {
    fileprivate var eventName: Event.Name {
        switch to {
        case .closed: .circuitClosed
        case .halfOpen: .circuitHalfOpened
        default: .circuitOpened
        }
    }

    fileprivate var attributes: Event.Attributes {
        var attributes: Event.Attributes = [:]
        attributes.authority = authority
        if !cause.isEmpty { attributes.reason = cause }
        if let breakDuration { attributes["break"] = .duration(breakDuration) }
        return attributes
    }
}
