import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("HedgeRules")
struct HedgeRulesTests {
    @Test(
        "sends an unsafe request once",
        arguments: ["POST", "PUT", "DELETE", "PATCH", "LINK"]
    )
    func unsafe(method: String) async throws {
        let request = HTTP.Request(HTTP.Method(rawValue: method), orders)

        let run = try await HedgeRun.of([.status(200).delayed(by: .seconds(9))], for: request)

        expectEqual(run.times, [.zero])
    }

    @Test("sends a one-shot body once")
    func oneShot() async throws {
        let body = HTTP.Body.oneShot(AsyncStream { $0.finish() })
        let request = HTTP.Request(.query, orders, body: body)

        let run = try await HedgeRun.of([.status(200).delayed(by: .seconds(9))], for: request)

        expectEqual(run.times, [.zero])
    }

    @Test("obeys a call's isIdempotent and its retry limit")
    func perCall() async throws {
        let slow = Array(
            repeating: ScriptStep<HTTP.Request>.status(200).delayed(by: .seconds(9)),
            count: 3
        )

        let post = try await HedgeRun.of(slow, for: .post(orders)) { $0.isIdempotent = true }
        let get = try await HedgeRun.of(slow) { $0.isIdempotent = false }
        let once = try await HedgeRun.of(slow) { $0.retryLimit = 1 }

        expectEqual(post.times.count, 2)
        expectEqual(get.times.count, 1)
        expectEqual(once.times.count, 1)
    }

    @Test("sends no hedge if a budget is exhausted, and keeps waiting", arguments: [0, 1])
    func budget(index: Int) async throws {
        let empty = RetryBudget(reserve: 0, tokensPerSuccess: 0)
        var policy = HedgePolicy<HTTP.Request>.prompt
        if index == 0 { policy.budget = empty } else { policy.sharedBudget = empty }
        let sink = RecordingEventSink()

        let run = try await HedgeRun.of(
            [.status(200).delayed(by: .milliseconds(500))],
            policy: policy,
            events: sink
        )

        try expectEqual(run.result.get().status, 200)
        expectEqual(run.times, [.zero])
        expectEqual(run.elapsed, .milliseconds(500))
        let withheld = try unwrap(sink.events.first { $0.name == .hedgeWithheld })
        expectEqual(withheld.source, "HedgeInterceptor")
        expectEqual(withheld.attributes, ["reason": .text("budget")])
    }

    @Test("tells its budget of failures and successes")
    func notes() throws {
        let notes = try Simulation.run { simulation in
            let allowance = NotingAllowance()
            var policy = HedgePolicy<HTTP.Request>.prompt
            policy.budget = allowance
            let transport = ScriptedTransport<HTTP.Request>(replies: [.status(503), .status(200)])
            let client = try simulation.client(transport) { [policy] in
                HedgeInterceptor(policy: policy)
            }

            _ = try await client.send(.get(orders))

            return allowance.notes.entries
        }

        let failure = "503 Service Unavailable"
        let expected = [
            "first", "failure \(failure)", "asked \(failure)", "success after \(failure)",
        ]
        expectEqual(notes, expected)
    }

    @Test("shares one budget between its hedges and a retry")
    func sharedBudget() throws {
        let budget = RetryBudget(reserve: 2, tokensPerSuccess: 0)
        let sends = try Simulation.run { simulation in
            let failing = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(503) }
            var retrying = RetryPolicy<HTTP.Request>.steady
            retrying.budget = budget
            let retry = try simulation.client(failing) { [retrying] in
                RetryInterceptor(policy: retrying)
            }
            _ = try await retry.send(.get(orders))
            let slow = ScriptedTransport<HTTP.Request> { _, call in
                try await call.runtime.sleep(for: .seconds(1))
                return HTTP.Response(200)
            }
            var hedging = HedgePolicy<HTTP.Request>.prompt
            hedging.sharedBudget = budget
            let hedge = try simulation.client(slow) { [hedging] in
                HedgeInterceptor(policy: hedging)
            }
            _ = try await hedge.send(.get(orders))
            return [failing.sent.count, slow.sent.count]
        }

        expectEqual(sends, [3, 1])
    }
}
