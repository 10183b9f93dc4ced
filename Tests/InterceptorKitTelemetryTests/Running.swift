#if Logging || Metrics || Tracing
import Dispatch
import InterceptorKit
import InterceptorKitTesting
import Synchronization

/// Runs a body once for each seed, on a thread of its own.
func onSeeds(
    _ seeds: Range<UInt64>,
    _ body: @escaping @Sendable (Simulation) async throws -> Void
) async throws {
    try await withCheckedThrowingContinuation { continuation in
        lane.async { continuation.resume(with: Result { try simulate(seeds: seeds, body) }) }
    }
}

private let lane = DispatchQueue(label: "simulations")

let order: HTTP.URL = "https://api.example.com/orders/7?token=hidden"

extension RetryPolicy where Input == HTTP.Request {
    /// Without chance, and without a budget that runs would share.
    static var steady: RetryPolicy {
        var policy = RetryPolicy<HTTP.Request>.standard
        policy.backoff.jitter = .none
        policy.budget = nil
        return policy
    }
}

/// Counts up from any task.
final class Tally: Sendable {
    private let value = Mutex(0)

    var count: Int { value.withLock { $0 } }

    func add(_ amount: Int = 1) { value.withLock { $0 += amount } }
}

/// Interceptors and faults under which calls go wrong in every way.
struct Storm: Transport {
    func send(_ input: HTTP.Request, call: Call) async throws -> HTTP.Response {
        try await call.runtime.sleep(for: .milliseconds(Int(call.runtime.random() % 50)))
        let status: HTTP.Status = call.runtime.random() % 8 == 0 ? 401 : 200
        return HTTP.Response(status, body: .text("answer"), request: input)
    }

    /// A client with the standard chain, a token and some interceptors more.
    static func client(
        _ simulation: Simulation,
        hedged: Bool,
        events: (any EventSink)? = nil,
        @InterceptorBuilder<HTTP.Request> _ interceptors: () -> [any Interceptor<HTTP.Request>]
    ) throws -> HTTP.Client {
        var settings = StandardSettings<HTTP.Request>()
        if hedged {
            settings.retry = nil
            settings.hedge = .standard
        }
        let transport = try ChaosTransport(
            over: Storm(),
            [
                .refused(rate: 0.1), .reset(rate: 0.1), .status(503, rate: 0.1),
                .latency(rate: 0.2, .seconds(11)),
            ]
        )
        let own = interceptors()
        return try HTTP.Client.standard(
            transport: transport,
            settings,
            runtime: simulation.runtime,
            events: events
        ) {
            TokenInterceptor(
                source: RefreshableCredential(
                    initial: { .bearer("t0") },
                    renew: { _ in .bearer("t1") }
                ),
                origins: ["https://api.example.com"]
            )
            own
        }
    }

    /// Some calls at once, of which some are cancelled.
    static func run(_ client: HTTP.Client, _ simulation: Simulation) async {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                let call = simulation.runtime.start("call \(number)") {
                    guard let response = try? await client.send(.get(order)) else { return }
                    _ = try? await response.body.collect()
                }
                group.addTask { await call.value }
                guard simulation.runtime.random() % 3 == 0 else { continue }
                let patience = Duration.milliseconds(Int(simulation.runtime.random() % 4000))
                group.addTask {
                    try? await simulation.runtime.sleep(for: patience)
                    call.cancel()
                }
            }
        }
    }
}
#endif
