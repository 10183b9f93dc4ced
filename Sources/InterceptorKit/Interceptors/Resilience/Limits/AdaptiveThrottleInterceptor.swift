import InterceptorKitConcurrency
import Synchronization

/// Turns a share of the calls away on this side while the other side turns away too many.
///
/// It needs no coordination and no number to be found out: the more calls are rejected over there,
/// the fewer are sent, and all are again soon after they are accepted. Put it **inside** the retry,
/// so that each attempt counts.
///
/// Calls are counted before they are sent, those that are turned away here too (go-zero issue
/// 5011), and count as accepted when they were answered with anything but overload. A cancelled
/// call says nothing and changes little: it counts as accepted.
public struct AdaptiveThrottleInterceptor<Input: Interceptable>: Interceptor {
    private let policy: AdaptiveThrottlePolicy
    private let classifier: OutcomeClassifier<Input>
    private let tallies: PerAuthority<ThrottleTally>
    private let authority = AuthorityReader<Input>()
    private let problem: SettingError?

    /// Creates an interceptor.
    /// - Parameters:
    ///   - policy: When calls are turned away. Defaults to the default numbers.
    ///   - classifier: Says how a call went: `transient` and `throttled` are overload, everything else was
    ///     accepted. Defaults to the standard one.
    public init(
        policy: AdaptiveThrottlePolicy = AdaptiveThrottlePolicy(),
        classifier: OutcomeClassifier<Input> = .standard
    ) {
        problem = policy.problem
        let policy = problem == nil ? policy : AdaptiveThrottlePolicy()
        self.policy = policy
        self.classifier = classifier
        tallies = PerAuthority(limit: policy.authorityLimit) { _ in
            ThrottleTally(window: policy.window)
        }
    }

    /// The probability with which the next call to an authority is turned away.
    /// - Parameters:
    ///   - authority: As in `https://api.example.com`; `nil` for inputs that cannot tell theirs.
    ///   - runtime: Whose clock tells the time; that of the calls. Defaults to the live one.
    public func rejection(of authority: String? = nil, runtime: Runtime = .live) -> Double {
        guard let tally = tallies.known(authority) else { return 0 }
        return policy.rejection(tally.count(at: runtime.now))
    }

    public var placement: Placement? { .rateLimit }

    public func validate() throws { if let problem { throw problem } }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        if let problem { throw problem }
        let call = chain.call
        let destination = authority(chain.frame.input)
        let tally = tallies[destination]
        let began = call.runtime.now
        let rejection = policy.rejection(tally.begin(at: began))
        if rejection > 0, call.runtime.randomFraction() < rejection {
            let error = LimitError.throttled(destination, rejection)
            throw call.reject(error, from: "AdaptiveThrottleInterceptor")
        }
        let output: Input.Output
        do {
            output = try await chain.proceed()
        } catch {
            let classification = await classifier.classify(error, of: chain)
            tally.note(classification?.kind ?? .success, since: began)
            throw error
        }
        if classifier.recognises(output) {
            tally.note(.success, since: began)
        } else {
            tally.note(await classifier.classify(output, of: chain).kind, since: began)
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
            "So many calls\(destination) were turned away lately that \(percent) of 100 are not sent. This "
                + "was one of them; nothing was sent."
        )
    }
}

/// How many calls one authority was sent, and how many it accepted.
final class ThrottleTally: Sendable {
    private let tally: Lock<SlidingTally>

    init(window: Duration) { tally = Lock(SlidingTally(window: window)) }

    func count(at now: Runtime.Instant) -> SlidingTally.Count {
        tally.withLock { $0.looked(at: now) }
    }

    /// Counts a call as not accepted yet, and says what was counted before.
    func begin(at now: Runtime.Instant) -> SlidingTally.Count {
        tally.withLock { tally in
            let count = tally.count(at: now)
            tally.add(SlidingTally.Count(calls: 1, failures: 1), at: now)
            return count
        }
    }

    /// Counts a call that was sent as accepted, unless it was turned away over there.
    func note(_ kind: Classification.Kind, since began: Runtime.Instant) {
        guard !kind.isFailureOverThere else { return }
        tally.withLock { $0.add(SlidingTally.Count(failures: -1), at: began) }
    }
}
