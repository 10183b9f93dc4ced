import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("CallerDeadlineInterceptor")
struct CallerDeadlineInterceptorTests {
    private static let field = HTTP.TimeoutField.milliseconds("X-Time")

    @Test(
        "gives the call as much time as the caller has, up to a bound",
        arguments: [
            ("0" as String?, Duration.zero), ("250", .milliseconds(250)), ("30000", .seconds(30)),
            ("30001", .seconds(30)), ("999999999999999", .seconds(30)), ("soon", .seconds(30)),
            (nil, .seconds(30)),
        ]
    )
    func bounded(said: String?, time: Duration) async throws {
        let remaining = try await onEverySeed(0..<3) { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200)])
            let pipeline = try Pipeline(transport: transport, runtime: simulation.runtime) {
                CallerDeadlineInterceptor(Self.field)
            }
            var request = HTTP.Request.get(orders)
            request.headers["X-Time"] = said

            _ = try await pipeline.run(request)

            return transport.sent.map(\.call.remaining)
        }

        expectEqual(remaining, [time])
    }

    @Test("keeps an earlier deadline")
    func nearer() async throws {
        let remaining = try await onEverySeed(0..<3) { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200)])
            let pipeline = try Pipeline(transport: transport, runtime: simulation.runtime) {
                CallerDeadlineInterceptor(Self.field)
            }
            let call = Call(runtime: simulation.runtime).withDeadline(within: .seconds(1))

            _ = try await pipeline.run(.get(orders, headers: ["X-Time": "5000"]), call: call)

            return transport.sent.map(\.call.remaining)
        }

        expectEqual(remaining, [.seconds(1)])
    }

    @Test("makes a timeout below end the work at the caller's deadline")
    func ends() async throws {
        let (code, elapsed) = try await onEverySeed { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(200).delayed(by: .seconds(60))
            ])
            let pipeline = try Pipeline(transport: transport, runtime: simulation.runtime) {
                CallerDeadlineInterceptor(Self.field)
                TimeoutInterceptor(total: .seconds(30))
            }
            let error = await #expect(throws: TimeoutError.self) {
                try await pipeline.run(.get(orders, headers: ["X-Time": "700"]))
            }
            return (error?.code, simulation.now.offset)
        }

        expectEqual(code, .total)
        expectEqual(elapsed, .milliseconds(700))
    }

    @Test("is refused below the timeout, or with an invalid field name")
    func refused() {
        let transport = ScriptedTransport<HTTP.Request>(replies: [])

        #expect(throws: PipelineError.self) {
            try Pipeline(transport: transport) {
                TimeoutInterceptor(total: .seconds(30))
                CallerDeadlineInterceptor(Self.field)
            }
        }
        #expect(throws: PipelineError.self) {
            try Pipeline(transport: transport) { CallerDeadlineInterceptor(.seconds("X Time")) }
        }
    }
}
