import InterceptorKitConcurrency
import Synchronization

/// Limits the calls in flight to each authority, and adapts the limit to how the server performs.
///
/// For servers with an unknown or changing capacity: see ``AdaptiveConcurrencyLimit``. Put it **inside** the
/// retry and outside the attempt's time limit, so that it measures one attempt and no waiting. A call holds
/// its permit until it has its output, for a response until its head.
public struct AdaptiveConcurrencyLimitInterceptor<Input: Interceptable>: Interceptor {
    private let settings: AdaptiveConcurrencyLimit
    private let classifier: OutcomeClassifier<Input>
    private let limiters: PerAuthority<AdaptiveLimiter>
    private let authority = AuthorityReader<Input>()
    private let problem: SettingError?

    /// Creates an interceptor.
    /// - Parameters:
    ///   - settings: How the limit adapts. Defaults to the gradient with the default numbers.
    ///   - classifier: Classifies calls: the duration of a `success` counts, `transient` and `throttled`
    ///     are overload, other kinds do not count. Defaults to the standard one.
    public init(
        _ settings: AdaptiveConcurrencyLimit = AdaptiveConcurrencyLimit(),
        classifier: OutcomeClassifier<Input> = .inherited
    ) {
        problem = settings.problem
        let settings = problem == nil ? settings : AdaptiveConcurrencyLimit()
        self.settings = settings
        self.classifier = classifier
        limiters = PerAuthority(limit: settings.authorityLimit) { authority in
            AdaptiveLimiter(authority, settings: settings)
        }
    }

    /// Returns the current limit of an authority.
    /// - Parameter authority: The authority, as in `https://api.example.com`; `nil` for inputs without one.
    public func limit(_ authority: String? = nil) -> Int {
        limiters.known(authority)?.gate.limit ?? settings.initial
    }

    /// Returns the number of calls to an authority that are in flight.
    /// - Parameter authority: The authority, as in `https://api.example.com`; `nil` for inputs without one.
    public func underWay(_ authority: String? = nil) -> Int {
        limiters.known(authority)?.gate.inUse ?? 0
    }

    public var placement: Placement? { .rateLimit }

    public func validate() throws { if let problem { throw problem } }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        if let problem { throw problem }
        let call = chain.call
        let limiter = limiters[authority(chain.frame.input)]
        if !limiter.gate.enterAtOnce() {
            try await limiter.gate.enter(call, maxWait: nil, from: AdaptiveLimiter.source)
        }
        defer { limiter.gate.leave() }
        let began = call.runtime.now
        let output: Input.Output
        do {
            output = try await chain.proceed()
        } catch {
            if let classification = await classifier.classify(error, of: chain) {
                limiter.add(classification.kind, since: began, call)
            }
            throw error
        }
        if classifier.recognises(output, of: chain.call) {
            limiter.add(.success, since: began, call)
        } else {
            let classification = await classifier.classify(output, of: chain)
            limiter.add(classification.kind, since: began, call)
        }
        return consume output
    }
}

/// The permits of one authority and the estimate of how many there should be.
final class AdaptiveLimiter: Sendable {
    static let source = "AdaptiveConcurrencyLimitInterceptor"

    let gate: AsyncSemaphore
    private let estimate: Lock<LimitEstimate>

    init(_ authority: String?, settings: AdaptiveConcurrencyLimit) {
        gate = AsyncSemaphore(authority, limit: settings.initial, queueLimit: settings.queueLimit)
        estimate = Lock(LimitEstimate(settings: settings))
    }

    func add(_ kind: Classification.Kind, since began: Runtime.Instant, _ call: Call) {
        let isOverload = kind.isServerFailure
        guard isOverload || kind == .success else { return }
        let now = call.runtime.now
        let changed = estimate.withLock { estimate -> Int? in
            let isChanged = estimate.add(
                isOverload ? nil : began.duration(to: now),
                at: now,
                mostUnderWay: { gate.takeMostInUse() }
            )
            return isChanged ? estimate.permits : nil
        }
        guard let changed else { return }
        call.emit(.limitAdapted, from: Self.source, attributes(from: gate.limit, to: changed))
        gate.setLimit(changed)
    }

    private func attributes(from before: Int, to limit: Int) -> Event.Attributes {
        var attributes: Event.Attributes = ["from": .number(before), "to": .number(limit)]
        if let authority = gate.authority { attributes["authority"] = .text(authority) }
        return attributes
    }
}
