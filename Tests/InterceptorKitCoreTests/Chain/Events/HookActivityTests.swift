import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("Event.Activity of a HookInterceptor")
struct HookActivityTests {
    @Test("shows the sending phases just above the transport, and their errors")
    func sendingHooks() async throws {
        let sink = RecordingEventSink()
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(503), .status(200)])

        try await onEverySeed(0..<1) { simulation in
            let client = try simulation.client(transport, events: sink) {
                HookInterceptor<HTTP.Request>(
                    willSend: { _, call in
                        call.emit("test.seen", from: "test")
                        if call.attempt == 2 { throw Problem() }
                    }
                )
                RetryInterceptor(policy: .steady)
            }
            _ = try? await client.send(.get(orders))
        }

        expectEqual(
            activityOutline(sink.events),
            [
                "call call",
                "  interceptor HookInterceptor",
                "    interceptor RetryInterceptor",
                "      attempt attempt 1",
                "        interceptor HookInterceptor (send)",
                "          transport ScriptedTransport",
                "      wait the next attempt",
                "      attempt attempt 2",
                "        interceptor HookInterceptor (send)",
            ]
        )
        expectEqual(unmatchedActivities(sink.events), [])
        let seen = sink.events.filter { $0.name == "test.seen" }
        expectEqual(seen.count, 2)
        expectTrue(seen.allSatisfy { $0.activity?.name == "HookInterceptor (send)" })
        let failed = try unwrap(sink.events.first { $0.name == .failed })
        expectEqual(failed.source, "HookInterceptor (send)")
    }

    @Test("is not reported for hooks in a chain that reports no stages")
    func addedToOneOff() async throws {
        let sink = RecordingEventSink()

        let output = try await InterceptorChain(
            input: 1,
            call: Call(events: sink),
            transport: Echo<Int>()
        )
        .add(interceptor: HookInterceptor<Int>(willSend: { _, _ in }))
        .add(interceptor: Adding(amount: 1))
        .proceed()

        expectEqual(output, 2)
        expectTrue(sink.events.isEmpty)
    }
}
