import InterceptorKitConcurrency
import Synchronization

/// Rejects a share of the calls locally while the server rejects too many.
///
/// It needs no coordination and no tuning: the more calls the server rejects, the fewer are sent. Soon after
/// the server accepts calls again, all are sent. Put it **inside** the retry,
/// so that each attempt counts.
///
/// Calls count before they are sent, including those rejected locally (go-zero issue 5011). They count as
/// accepted if their outcome was anything but overload. A cancelled call says little and counts as accepted.
public struct AdaptiveThrottleInterceptor<Input: Interceptable>: Interceptor {
    private let policy: AdaptiveThrottlePolicy
    private let classifier: OutcomeClassifier<Input>
    private let counters: PerAuthority<ThrottleWindow>
    private let problem: SettingError?

    /// Creates an interceptor.
    /// - Parameters:
    ///   - policy: The rules for rejections. Defaults to the default numbers.
    ///   - classifier: Classifies calls: `transient` and `throttled` are overload, everything else was
    ///     accepted. Defaults to the standard one.
    public init(
        policy: AdaptiveThrottlePolicy = AdaptiveThrottlePolicy(),
        classifier: OutcomeClassifier<Input> = .inherited
    ) {
        problem = policy.problem
        let policy = problem == nil ? policy : AdaptiveThrottlePolicy()
        self.policy = policy
        self.classifier = classifier
        counters = PerAuthority(limit: policy.authorityLimit) { _ in
            ThrottleWindow(window: policy.window)
        }
    }

    /// Returns the probability with which the next call to an authority is rejected.
    /// - Parameters:
    ///   - authority: The authority, as in `https://api.example.com`; `nil` for inputs without one.
    ///   - runtime: The runtime of the calls. Defaults to the live runtime.
    public func rejection(of authority: String? = nil, runtime: Runtime = .live) -> Double {
        guard let counter = counters.known(authority) else { return 0 }
        return policy.rejection(counter.count(at: runtime.now))
    }

    public var placement: Placement? { .rateLimit }

    public func validate() throws { if let problem { throw problem } }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        if let problem { throw problem }
        let call = chain.call
        let counter = counters[chain.limitKey]
        let began = call.runtime.now
        let rejection = policy.rejection(counter.begin(at: began))
        if rejection > 0, call.runtime.randomFraction() < rejection {
            let error = LimitError.throttled(chain.authority, rejection)
            throw call.reject(error, from: "AdaptiveThrottleInterceptor")
        }
        let output: Input.Output
        do {
            output = try await chain.proceed()
        } catch {
            let classification = await classifier.classify(error, of: chain)
            counter.note(classification?.kind ?? .success, since: began)
            throw error
        }
        if classifier.recognises(output, of: chain.call) {
            counter.note(.success, since: began)
        } else {
            counter.note(await classifier.classify(output, of: chain).kind, since: began)
        }
        return consume output
    }
}

extension LimitError {
    fileprivate static func throttled(_ authority: String?, _ rejection: Double) -> LimitError {
        let percent = Int((rejection * 100).rounded())
        let destination = authority.map { " to \($0)" } ?? ""
        return LimitError(
            .throttled,
            authority,
            "So many recent calls\(destination) were rejected that \(percent) % are not sent. This "
                + "call was one of them; nothing was sent."
        )
    }
}

/// How many calls one authority was sent, and how many it accepted.
final class ThrottleWindow: Sendable {
    private let counter: Lock<SlidingWindowCounter>

    init(window: Duration) { counter = Lock(SlidingWindowCounter(window: window)) }

    func count(at now: Runtime.Instant) -> SlidingWindowCounter.Count {
        counter.withLock { $0.looked(at: now) }
    }

    /// Counts a call as not accepted yet, and says what was counted before.
    func begin(at now: Runtime.Instant) -> SlidingWindowCounter.Count {
        counter.withLock { counter in
            let count = counter.count(at: now)
            counter.add(SlidingWindowCounter.Count(calls: 1, failures: 1), at: now)
            return count
        }
    }

    /// Counts a call that was sent as accepted, unless it was rejected by the server.
    func note(_ kind: Classification.Kind, since began: Runtime.Instant) {
        guard !kind.isServerFailure else { return }
        counter.withLock { $0.add(SlidingWindowCounter.Count(failures: -1), at: began) }
    }
}
