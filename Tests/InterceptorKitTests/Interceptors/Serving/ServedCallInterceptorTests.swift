import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("ServedCallInterceptor")
struct ServedCallInterceptorTests {
    private static let trace = HTTP.TraceContext(
        traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    )

    private static func served(_ runtime: Runtime, within time: Duration) -> Call {
        var call = Call(runtime: runtime).withDeadline(within: time)
        call.traceContext = trace
        return call
    }

    @Test("takes the deadline and the trace of the task's server call")
    func current() async throws {
        let (remaining, trace) = try await onEverySeed(0..<3) { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200)])
            let client = try simulation.client(transport, timeout: .seconds(30)) {
                ServedCallInterceptor()
                TraceContextInterceptor()
            }

            let served = Self.served(simulation.runtime, within: .seconds(2))
            _ = try await served.serve { try await client.send(.get(orders)) }

            let sent = transport.sent[0]
            return (sent.call.remaining, HTTP.TraceContext(sent.input.headers)?.traceID)
        }

        expectEqual(remaining, .seconds(2))
        expectEqual(trace, Self.trace?.traceID)
    }

    @Test("prefers the server call that it is given to the task's")
    func handedOver() async throws {
        let remaining = try await onEverySeed(0..<3) { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200)])
            let client = try simulation.client(transport) { ServedCallInterceptor() }
            let other = Self.served(simulation.runtime, within: .seconds(1))
            let served = Self.served(simulation.runtime, within: .seconds(5))

            _ = try await other.serve {
                try await client.send(.get(orders)) { $0.parentCall = served }
            }

            return transport.sent[0].call.remaining
        }

        expectEqual(remaining, .seconds(5))
    }

    @Test("keeps an earlier deadline and an own trace, and calls of no task")
    func leavesAlone() async throws {
        let (remaining, traces) = try await onEverySeed(0..<3) { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200), .status(200)])
            let client = try simulation.client(transport) { ServedCallInterceptor() }
            let own = HTTP.TraceContext(
                traceparent: "00-00000000000000000000000000000001-0000000000000002-00"
            )

            let served = Self.served(simulation.runtime, within: .seconds(5))
            _ = try await served.serve {
                try await client.send(.get(orders)) { call in
                    call = call.withDeadline(within: .seconds(1))
                    call.traceContext = own
                }
            }
            _ = try await client.send(.get(orders))

            let calls = transport.sent.map(\.call)
            return (calls.map(\.remaining), calls.map { $0.traceContext?.traceID.last })
        }

        expectEqual(remaining, [.seconds(1), nil])
        expectEqual(traces, ["1", nil])
    }

    @Test("follows a server call on another clock by its remaining time")
    func otherClock() async throws {
        let remaining = try await onEverySeed(0..<3) { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200)])
            let client = try simulation.client(transport) { ServedCallInterceptor() }
            let later = Runtime(
                now: { Runtime.Instant(offset: .seconds(1_000_000)) },
                date: { simulation.runtime.date },
                sleep: { _ in },
                random: { 0 },
                identifier: { 1 },
                start: { _, work in Task { await work() } }
            )

            let served = Self.served(later, within: .seconds(3))
            _ = try await served.serve { try await client.send(.get(orders)) }

            return transport.sent[0].call.remaining
        }

        expectEqual(remaining, .seconds(3))
    }
}
