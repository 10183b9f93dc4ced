import InterceptorKitConcurrency
import Synchronization

/// Watches how calls to each authority go, and turns them away while too many fail.
///
/// It is the handle on the breakers of a ``CircuitBreakerInterceptor``: one for each authority, made when the
/// first call goes there. Give one handle to several clients and they share what they learn.
///
/// ```swift
/// let breaker = CircuitBreaker()
/// let api = try HTTP.Client(transport: URLSessionTransport()) {
///     RetryInterceptor(policy: .standard)
///     CircuitBreakerInterceptor(breaker)
/// }
/// breaker.isolate("https://api.example.com")   // nothing is sent there…
/// breaker.reset("https://api.example.com")     // …until now
/// ```
public final class CircuitBreaker: Sendable {
    /// What it does with what it sees.
    public enum Mode: UInt8, Sendable, Hashable {
        /// It counts, opens and closes.
        case automatic
        /// It counts and lets every call through, isolated authorities' too.
        case metricsOnly
        /// It lets every call through and does not look.
        case disabled
    }

    /// When it opens and closes; the default numbers if those given cannot work.
    public let policy: CircuitBreakerPolicy

    let problem: SettingError?
    private let circuits: PerAuthority<GuardedCircuit>
    // Held, so that what was isolated by hand is not forgotten.
    private let isolated = Lock<[String?: GuardedCircuit]>([:])
    private let currentMode: Atomic<UInt8>
    private let listeners = CircuitListeners()

    /// Creates a breaker for any number of authorities.
    /// - Parameters:
    ///   - policy: When it opens and closes. Defaults to the default numbers.
    ///   - mode: What it does with what it sees; can be changed later. Defaults to all.
    public init(policy: CircuitBreakerPolicy = CircuitBreakerPolicy(), mode: Mode = .automatic) {
        problem = policy.problem
        let policy = problem == nil ? policy : CircuitBreakerPolicy()
        self.policy = policy
        currentMode = Atomic(mode.rawValue)
        circuits = PerAuthority(limit: policy.authorityLimit) { authority in
            GuardedCircuit(authority, Circuit(policy: policy))
        }
    }

    /// What it does with what it sees. Calls under way report in the mode in which they end.
    public var mode: Mode {
        get { Mode(rawValue: currentMode.load(ordering: .relaxed)) ?? .automatic }
        set { currentMode.store(newValue.rawValue, ordering: .relaxed) }
    }

    /// Changes of state from now on, of all authorities.
    ///
    /// Each reader gets a sequence of its own, which keeps the last 64 changes for a slow one and ends when
    /// the reader's task is cancelled. The events of a call have the same changes but for those by hand.
    public var changes: AsyncStream<Change> { listeners.add() }

    /// Lets nothing through to an authority until it is reset; calls under way end as they will.
    /// - Parameter authority: As in `https://api.example.com`; `nil` for inputs that cannot tell theirs.
    public func isolate(_ authority: String? = nil) {
        let circuit = circuits[authority]
        isolated.withLock { $0[authority] = circuit }
        changeByHand(circuit) { $0.isolate() }
    }

    /// Closes the circuit to an authority and forgets what was counted.
    /// - Parameter authority: As in `https://api.example.com`; `nil` for inputs that cannot tell theirs.
    public func reset(_ authority: String? = nil) {
        isolated.withLock { _ = $0.removeValue(forKey: authority) }
        guard let circuit = circuits.known(authority) else { return }
        changeByHand(circuit) { $0.reset() }
    }

    /// How it stands with an authority; closed and empty if nothing is known of it.
    /// - Parameters:
    ///   - authority: As in `https://api.example.com`; `nil` for inputs that cannot tell theirs.
    ///   - runtime: Whose clock tells the time; that of the calls. Defaults to the live one.
    public func status(of authority: String? = nil, runtime: Runtime = .live) -> Status {
        guard let circuit = circuits.known(authority) else { return Status() }
        return circuit.status(at: runtime.now)
    }

    /// The authorities of which something is known, in no particular order.
    public var authorities: [String?] { circuits.authorities }

    /// Asks for a call to be let through.
    /// - Returns: What it reports with; `nil` if nobody wants to know.
    func enter(
        _ authority: String?,
        _ call: Call
    ) throws(CircuitBreakerError) -> CircuitPassage? {
        let mode = mode
        guard mode != .disabled else { return nil }
        let circuit = circuits[authority]
        guard mode == .automatic else { return circuit.watch(call) }
        let (passage, change) = try circuit.enter(call)
        if let change { tell(change, call) }
        return passage
    }

    func leave(_ passage: CircuitPassage, _ health: Circuit.Health, _ call: Call) {
        guard let change = passage.leave(health, call, mayOpen: mode == .automatic) else { return }
        tell(change, call)
    }

    private func changeByHand(_ circuit: GuardedCircuit, _ body: (inout Circuit) -> Void) {
        if let change = circuit.change(body) { listeners.tell(change) }
    }

    private func tell(_ change: Change, _ call: Call) {
        listeners.tell(change)
        call.emit(change.eventName, from: "CircuitBreakerInterceptor", change.attributes)
    }
}
