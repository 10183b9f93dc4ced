import Expectations
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitCore

@Suite("Simulated hours of the standard chain")
struct StandardSoakTests {
    enum Repetition: CaseIterable {
        case retry
        case hedge
    }

    @Test(
        "keep all state bounded and return every permit, whatever fails",
        arguments: Repetition.allCases
    )
    func soak(repetition: Repetition) async throws {
        let count = try await besideOtherTests { try simulatedCalls(repetition) }

        expectEqual(count.ended, count.started)
        expectTrue(count.succeeded > count.started / 2)
        expectTrue(count.cancelled > 10 * soakHours)
        expectTrue(count.turnedAway > 10 * soakHours)
        expectTrue(count.waited > 10 * soakHours)
        expectTrue(count.opened > soakHours)
        expectTrue(count.repeated > 10 * soakHours)
        expectTrue(count.mostAuthorities > 40)
        // Beyond 64 are only those that calls held when others came.
        expectTrue(count.mostAuthorities <= 64 + World.callsAtOnce * 3)
        expectTrue(count.mostLimit > World.limitAtFirst)
    }

    private func simulatedCalls(_ repetition: Repetition) throws -> World.Count {
        try Simulation.run(seed: 130) { simulation in
            let world = try World(simulation, repetition)
            while simulation.now.offset < .seconds(soakHours * 3600) {
                try await world.minute()
                try world.checkAtRest()
            }
            return world.count
        }
    }
}

/// A client with every strategy, its backend of several hundred hosts, and the result of its calls.
private final class World: Sendable {
    struct Count: Sendable {
        var started = 0
        var ended = 0
        var succeeded = 0
        var cancelled = 0
        var turnedAway = 0
        var waited = 0
        var opened = 0
        var repeated = 0
        var mostAuthorities = 0
        var mostLimit = 0.0
    }

    static let callsAtOnce = 6
    static let limitAtFirst = 5.0
    private static let home = "https://api.example.com"

    private let simulation: Simulation
    private let client: HTTP.Client
    private let counts: Lock<Count>
    private let breaker: CircuitBreaker
    private let budget = RetryBudget()
    private let calls: ConcurrencyLimiter
    private let rate: RateLimiter
    private let adaptive: AdaptiveConcurrencyLimitInterceptor<HTTP.Request>
    private let isTold: Recording

    var count: Count { counts.withLock { $0 } }

    init(_ simulation: Simulation, _ repetition: StandardSoakTests.Repetition) throws {
        self.simulation = simulation
        counts = Lock(Count())
        calls = ConcurrencyLimiter(
            policy: ConcurrencyLimitPolicy(limit: 4, queueLimit: 2, maxWait: .seconds(1))
        )
        rate = RateLimiter(policy: RateLimitPolicy(calls: 20, burst: 2))
        // With numbers that so few calls can reach.
        var policy = CircuitBreakerPolicy()
        policy.minimumCalls = 5
        policy.window = .seconds(120)
        breaker = CircuitBreaker(policy: policy)
        var limit = AdaptiveConcurrencyLimit()
        limit.initial = Int(Self.limitAtFirst)
        adaptive = AdaptiveConcurrencyLimitInterceptor(limit)
        isTold = Recording()
        var settings = StandardSettings<HTTP.Request>()
        settings.breaker = breaker
        settings.concurrencyLimit = nil
        switch repetition {
        case .retry:
            settings.retry?.budget = budget
        case .hedge:
            settings.retry = nil
            settings.hedge = .standard
            settings.hedge?.delay = .fixed(.milliseconds(300))
            settings.hedge?.budget = nil
            settings.hedge?.sharedBudget = budget
        }
        client = try .standard(
            settings,
            transport: Self.backend,
            runtime: simulation.runtime,
            events: isTold
        ) { [calls, rate, adaptive] in
            ConcurrencyLimitInterceptor(calls)
            RateLimitInterceptor(rate)
            adaptive
            SignInterceptor(.hmacSHA256(keyID: "k", secret: "s"))
        }
    }

    /// Each host has its own bad hours: of outage, of slowness and of rationing.
    private static var backend: ScriptedTransport<HTTP.Request> {
        ScriptedTransport { request, call in
            let runtime = call.runtime
            let quarter = Int(runtime.now.offset.components.seconds) / 900
            let mood = (quarter + (request.url.host ?? "").utf8.reduce(0) { $0 + Int($1) }) % 12
            try await runtime.sleep(for: .milliseconds(Int64(runtime.random() % 200)))
            switch (mood, runtime.random() % 40) {
            case (0, 3...): return HTTP.Response(503)
            case (1, 10...): try await runtime.sleep(for: .seconds(Int64(runtime.random() % 15)))
            case (2, 20...): return HTTP.Response(429, headers: ["Retry-After": "3"])
            case (_, 0): throw TransportError(.connectionLost, "The connection was lost.")
            case (_, 1): throw TransportError(.cannotConnect, "Down.", isUnsent: true)
            case (_, 2): return HTTP.Response(500)
            default: break
            }
            return HTTP.Response(200, body: .oneShot(CountingStream(chunks: 2)))
        }
    }

    /// Makes some calls at once, of which those are cancelled that still are under way after a minute.
    func minute() async throws {
        counts.withLock { $0.started += Self.callsAtOnce }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.callsAtOnce {
                group.addTask { await self.call() }
            }
            try await simulation.runtime.sleep(for: .seconds(60))
            group.cancelAll()
        }
    }

    private func call() async {
        let runtime = simulation.runtime
        let isElsewhere = runtime.random() % 4 == 0
        let origin = isElsewhere ? "https://host\(runtime.random() % 300).example" : Self.home
        let url = origin + "/orders"
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { [client] in
                    let response = try await client.send(.get(HTTP.URL(unvalidated: url)))
                    guard response.status == 200 else { throw Problem() }
                    _ = try await response.text()
                }
                if runtime.random() % 8 == 0 {
                    try await runtime.sleep(for: .milliseconds(Int64(runtime.random() % 500)))
                    group.cancelAll()
                }
                try await group.waitForAll()
            }
            counts.withLock { $0.succeeded += 1 }
        } catch is CancellationError {
            counts.withLock { $0.cancelled += 1 }
        } catch is CircuitBreakerError, is LimitError {
            counts.withLock { $0.turnedAway += 1 }
        } catch {
            // Every other failure is an ending like any.
        }
        counts.withLock { $0.ended += 1 }
    }

    /// Throws if anything is not as it was before the first call but for what was learned.
    func checkAtRest() throws {
        let now = simulation.now
        let balance = budget.tokens(of: Self.home)
        let authorities = breaker.authorities
        let isAtRest =
            client.calls.counts.calls == 0
            && calls.inFlight() == 0 && calls.waiting() == 0
            && authorities.allSatisfy { rate.waiting($0) == 0 && adaptive.inFlight($0) == 0 }
        let isBounded =
            -3...30 ~= balance
            && 0.2...1000 ~= adaptive.limit(Self.home)
        guard isAtRest, isBounded else { throw Problem(text: "not at rest at \(now.offset)") }
        counts.withLock { count in
            count.mostAuthorities = max(count.mostAuthorities, authorities.count)
            count.mostLimit = max(count.mostLimit, adaptive.limit(Self.home))
            count.waited = isTold.count(of: [.limitWaited])
            count.opened = isTold.count(of: [.circuitOpened])
            count.repeated = isTold.count(of: [.retryScheduled, .hedgeSent])
        }
    }
}

/// Counts events by their names, of which there are few.
private final class Recording: EventSink {
    private let counts = Lock<[Event.Name: Int]>([:])

    func count(of names: [Event.Name]) -> Int {
        counts.withLock { counts in names.reduce(0) { $0 + (counts[$1] ?? 0) } }
    }

    func record(_ event: Event) { counts.withLock { $0[event.name, default: 0] += 1 } }
}
