import InterceptorKit
import Synchronization

/// Holds sends back to the rate that a service takes, once it has asked for fewer: AWS's adaptive mode.
///
/// Put it **inside** the retry, so that each attempt is held back, and beside no other limit of the same
/// kind. A send that would have to wait beyond the call's deadline is refused at once by a
/// `SendRateError`.
struct AdaptiveRateInterceptor<Input: Interceptable>: Interceptor {
    private let classifier: OutcomeClassifier<Input>
    private let rates = PerAuthority { _ in SharedRate() }

    /// Creates an interceptor.
    /// - Parameter classifier: Says which outcomes are throttled.
    init(classifier: OutcomeClassifier<Input>) { self.classifier = classifier }

    var placement: Placement? { .rateLimit }

    nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        let call = chain.call
        let rate = rates[Input.authority(of: chain.input)]
        while let wait = rate.wait(at: call.runtime.now) {
            if let remaining = call.remaining, wait >= remaining { throw SendRateError(wait) }
            try await call.runtime.sleep(for: wait)
        }
        let result: Result<Input.Output, any Error>
        do {
            result = .success(try await chain.proceed())
        } catch {
            result = .failure(error)
        }
        let outcome = Outcome(input: chain.input, result: result, call: call)
        let classification = await classifier.classify(outcome)
        rate.note(isThrottled: classification.kind == .throttled, at: call.runtime.now)
        return try result.get()
    }
}

/// An authority's rate.
private final class SharedRate: Sendable {
    private let rate = Mutex(AdaptiveRate())

    func wait(at instant: Runtime.Instant) -> Duration? {
        let wait = rate.withLock { $0.take(at: instant) }
        return wait > .zero ? wait : nil
    }

    func note(isThrottled: Bool, at instant: Runtime.Instant) {
        rate.withLock { $0.note(isThrottled: isThrottled, at: instant) }
    }
}

/// A send was held back for longer than its call has time.
struct SendRateError: ClassifiedError, AttemptHistory, CustomStringConvertible {
    /// How long it would have had to wait.
    let retryAfter: Duration
    /// What was tried, if there was more than one attempt.
    var attempts: [Attempt] = []

    init(_ retryAfter: Duration) { self.retryAfter = retryAfter }

    /// Turned away locally.
    var classification: Classification {
        Classification(
            .rejected,
            reason: "held back",
            retryAfter: retryAfter,
            isUnsent: true
        )
    }

    /// What happened, in whole sentences.
    var description: String {
        let sentence =
            "The service asked for fewer requests; this one would have to wait "
            + "\(retryAfter / .seconds(1)) s, longer than its call may take. Send fewer, or give calls "
            + "more time."
        return ([sentence] + attempts.map(\.description)).joined(separator: "\n")
    }
}
