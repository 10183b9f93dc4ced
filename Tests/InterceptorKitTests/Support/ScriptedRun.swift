import InterceptorKit
import InterceptorKitTesting
import TestRun

/// What came of sending a request through an interceptor over a script.
struct ScriptedRun {
    /// What a run is made of.
    struct Setup: Sendable {
        var steps: [ScriptStep<HTTP.Request>]
        var request: HTTP.Request = .get(orders)
        var interceptor: any Interceptor<HTTP.Request>
        var timeout: Duration?
        var events: (any EventSink)?
        var configure: @Sendable (inout Call) -> Void = { _ in }
    }

    var result: Result<HTTP.Response, any Error>
    var times: [Duration]
    var sent: [HTTP.Request]
    var elapsed: Duration

    /// Runs a script once for each of a thousand seeds, which must all come to the same unless chance
    /// has a part in it.
    static func onEverySeed(_ setup: Setup, isVarying: Bool = false) async throws -> ScriptedRun {
        try await besideOtherTests {
            let first = try once(setup, seed: 0)
            for seed in UInt64(1)..<seedCount {
                let other = try once(setup, seed: seed)
                let isSame =
                    other.times == first.times && other.elapsed == first.elapsed
                    && "\(other.result)" == "\(first.result)"
                guard isVarying || isSame else {
                    let results = [first, other].map { "\($0)" }
                    throw ResultsDiffer(seed: Int(seed), results: results)
                }
            }
            return first
        }
    }

    static func once(_ setup: Setup, seed: UInt64) throws -> ScriptedRun {
        try Simulation.run(seed: seed) { simulation in
            let transport = ScriptedTransport(replies: setup.steps)
            let client = try simulation.client(
                transport,
                timeout: setup.timeout,
                events: setup.events
            ) { setup.interceptor }
            let result: Result<HTTP.Response, any Error>
            do {
                result = .success(try await client.send(setup.request, configure: setup.configure))
            } catch {
                result = .failure(error)
            }
            return ScriptedRun(
                result: result,
                times: transport.sent.map(\.instant.offset),
                sent: transport.sent.map(\.input),
                elapsed: simulation.now.offset
            )
        }
    }
}

extension Simulation {
    /// Sends a request and cancels the caller after a time.
    /// - Returns: How many sends there were then, and what the caller got.
    func send(
        to client: HTTP.Client,
        over transport: ScriptedTransport<HTTP.Request>,
        cancelledAfter wait: Duration
    ) async -> (sends: Int, result: Result<HTTP.Response, any Error>?) {
        await withTaskGroup(of: Result<HTTP.Response, any Error>.self) { group in
            group.addTask {
                do {
                    return .success(try await client.send(.get(orders)))
                } catch {
                    return .failure(error)
                }
            }
            try? await runtime.sleep(for: wait)
            group.cancelAll()
            let sends = transport.sent.count
            return (sends, await group.next())
        }
    }
}
