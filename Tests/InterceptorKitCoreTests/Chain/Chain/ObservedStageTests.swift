import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("ObservedStage")
struct ObservedStageTests {
    @Test("shows a pass as an attempt if its number says so")
    func attempts() async throws {
        let again = AnyInterceptor<Int>("again") { chain in
            _ = try await chain.proceed()
            return try await chain.proceed(chain.input, call: chain.call.withAttempt(2))
        }

        let descriptor = try await ObservedRun.descriptor([again, ObservedRun.named("a")])

        expectEqual(
            descriptor,
            [
                "call call", "  interceptor again",
                "    interceptor a", "      transport Echo",
                "    attempt attempt 2", "      interceptor a", "        transport Echo",
            ]
        )
    }

    @Test("ends a call with the number of its last attempt, as its history has it")
    func lastAttempt() async throws {
        let sink = RecordingEventSink()
        let lost = TransportError(.connectionLost, "It broke.")
        let transport = ScriptedTransport<HTTP.Request>(replies: [
            .status(503), .status(200), .fail(lost), .fail(lost),
        ])
        var policy = RetryPolicy<HTTP.Request>.standard
        policy.maxAttempts = 2
        policy.backoff = Backoff(base: .zero, cap: .zero)
        policy.overloadBackoff = policy.backoff
        let client = try HTTP.Client(transport: transport, timeout: nil, events: sink) {
            [policy] in RetryInterceptor(policy: policy)
        }

        _ = try await client.send(.get("https://a.example/"))
        _ = try? await client.send(.get("https://a.example/"))

        let calls = sink.events.filter { $0.activity?.kind == .call }
        expectEqual(calls.map(\.attempt), [1, 2, 1, 2])
    }

    @Test("shows a moment in the stage that reports it, also after it went on")
    func moments() async throws {
        let sink = RecordingEventSink()
        let telling = (0..<3).map { number in
            AnyInterceptor<Int>("\(number)") { chain in
                chain.call.emit("before", from: "\(number)")
                defer { chain.call.emit("after", from: "\(number)") }
                return try await chain.proceed(chain.input + number % 2)
            }
        }
        let transport = Echo<Int> { input, call in
            call.emit("sent", from: "Echo")
            return input
        }

        _ = try await Pipeline(telling, transport: transport, events: sink).run(1)

        let moments = sink.events.filter { $0.phase == .moment }
        expectEqual(moments.count, 7)
        expectTrue(moments.allSatisfy { $0.activity?.name == $0.source })
    }
}
