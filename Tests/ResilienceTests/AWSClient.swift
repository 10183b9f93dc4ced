import InterceptorKit
import InterceptorKitTesting

@testable import Resilience

/// A client whose retries are set up as an AWS SDK's, run against a table.
struct AWSClient {
    enum Revision { case v2_0, v2_1 }

    private static let authority = "https://api.example.com"

    let revision: Revision
    let given: AWSRetryVectors.Given
    let quota: RetryQuota

    init(_ revision: Revision, _ given: AWSRetryVectors.Given) {
        self.revision = revision
        self.given = given
        quota = RetryQuota(capacity: given.initial_retry_tokens ?? 500) { failure in
            revision == .v2_0 || failure.kind == .throttled ? 5 : 14
        }
    }

    /// A server's wish, at least the own wait and at most 5 s longer.
    static func bounded(_ wish: Duration, _ own: Duration) -> Duration {
        min(max(wish, own), own + .seconds(5))
    }

    private var policy: RetryPolicy<HTTP.Request> {
        let classifier = OutcomeClassifier<HTTP.Request>.standard.preceded { outcome in
            guard case .success(let response) = outcome.result,
                response.headers["x-amzn-errortype"] == "Throttling"
            else { return nil }
            return Classification(.throttled, reason: "Throttling")
        }
        let base: Duration = revision == .v2_0 ? .seconds(1) : .milliseconds(50)
        let cap = Duration.seconds(given.max_backoff_time ?? 20)
        var policy = RetryPolicy<HTTP.Request>(classifier: classifier)
        policy.maxAttempts = given.max_attempts ?? 3
        policy.backoff = Backoff(base: base, cap: cap, jitter: .none)
        policy.overloadBackoff = Backoff(base: .seconds(1), cap: cap, jitter: .none)
        policy.budget = quota
        policy.hook = { outcome, _, answer in
            guard case .retryAfter(let own) = answer, case .success(let response) = outcome.result,
                let wish = response.headers["x-amz-retry-after"].flatMap({ Int64($0) }), wish >= 0
            else { return answer }
            return .retryAfter(Self.bounded(.milliseconds(wish), own))
        }
        return policy
    }

    /// Whether the calls that make up the steps come to what is expected of each.
    func isRight(_ steps: [AWSRetryVectors.Step]) throws -> Bool {
        var seen: [Seen] = []
        while seen.count < steps.count {
            let call = Array(steps[seen.count...])
            seen += try Simulation.run { try await run(call, $0) }
        }
        return zip(seen, steps).allSatisfy { $0.agrees(with: $1.expected) }
    }

    /// Whether calls side by side, whose steps come one after the other, do.
    func isRight(threads row: AWSRetryVectors.Threads) throws -> Bool {
        try Simulation.run { simulation in
            let seen = await withTaskGroup(of: (Int, [Seen]).self) { group in
                for (index, steps) in row.threads.enumerated() {
                    group.addTask {
                        let pause = Duration.milliseconds(index)
                        try? await simulation.runtime.sleep(for: pause)
                        return (index, (try? await run(steps, simulation, pause: 100)) ?? [])
                    }
                }
                return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            let outcomes = seen.mapValues { $0.map(\.outcome) }
            let expected = row.threads.map { $0.map(\.expected.outcome) }
            return expected.indices.allSatisfy { outcomes[$0] == expected[$0] }
                && quota.tokens(of: Self.authority) == row.expected_final_quota
        }
    }

    private func run(
        _ steps: [AWSRetryVectors.Step],
        _ simulation: Simulation,
        pause: Int = 0
    ) async throws -> [Seen] {
        let sink = RecordingEventSink()
        let quotas = Recorder<Int>()
        let transport = ScriptedTransport<HTTP.Request>(replies: steps.map(\.response.step))
        let client = try simulation.client(transport, events: sink) {
            if given.long_polling == true { LongPolling(sink: sink, policy: policy) }
            RetryInterceptor(policy: policy)
            AnyInterceptor { chain in
                quotas.note(quota.tokens(of: Self.authority))
                return try await chain.proceed()
            }
        }
        let response = try await client.send(.get(orders))
        let stop = sink.events.last { $0.name == .retryStopped }?.attributes["rule"]
        let outcome =
            switch stop {
            case .text("attempts"): "max_attempts_exceeded"
            case .text("budget"): "retry_quota_exceeded"
            default: response.status.code < 400 ? "success" : "fail_request"
            }
        let instants = transport.sent.map(\.instant) + [simulation.now]
        let waits = zip(instants, instants.dropFirst()).map { $0.duration(to: $1) }
        let after = quotas.entries.dropFirst() + [quota.tokens(of: Self.authority)]
        return zip(waits, after).enumerated().map { index, values in
            let isLast = index == waits.count - 1
            return Seen(
                outcome: isLast ? outcome : "retry_request",
                quota: values.1,
                delay: values.0
            )
        }
    }
}

struct Seen: Sendable {
    var outcome: String
    var quota: Int
    var delay: Duration

    func agrees(with expected: AWSRetryVectors.Step.Expected) -> Bool {
        outcome == expected.outcome
            && (expected.retry_quota == nil || expected.retry_quota == quota)
            && abs(delay / .seconds(1) - (expected.delay ?? 0)) < 1e-9
    }
}

/// Waits before a long-polling call is handed back that the quota ended, so that its next poll does not
/// come at once. Outside of the retry, since nothing is sent again.
private struct LongPolling: Interceptor {
    let sink: RecordingEventSink
    let policy: RetryPolicy<HTTP.Request>

    func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
        let response = try await chain.proceed()
        guard let stop = sink.events.last(where: { $0.name == .retryStopped }),
            stop.attributes["rule"] == .text("budget")
        else { return response }
        let isThrottled = stop.attributes["outcome"] == .text("Throttling")
        let backoff = isThrottled ? policy.overloadBackoff : policy.backoff
        try await chain.call.runtime.sleep(for: backoff.delay(after: stop.attempt, fraction: 1))
        return response
    }
}

extension AWSRetryVectors.Step.Response {
    fileprivate var step: ScriptStep<HTTP.Request> {
        var fields = HTTP.Headers()
        for (name, value) in headers ?? [:] { fields[name] = value }
        if let error_code { fields["x-amzn-errortype"] = error_code }
        return .status(HTTP.Status(status_code), headers: fields)
    }
}
