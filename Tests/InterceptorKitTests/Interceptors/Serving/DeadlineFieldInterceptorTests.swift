import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("DeadlineFieldInterceptor")
struct DeadlineFieldInterceptorTests {
    private static let field = HTTP.TimeoutField.milliseconds("X-Time")

    @Test("sends the server the remaining time with each attempt")
    func tells() async throws {
        let fields = try await onEverySeed(0..<20) { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(503).delayed(by: .seconds(1)), .status(200), .status(200), .status(200),
            ])
            let client = try simulation.client(transport, timeout: .seconds(10)) {
                RetryInterceptor(policy: .steady)
                DeadlineFieldInterceptor(Self.field)
            }

            _ = try await client.send(.get(orders))
            _ = try await client.send(.get(orders, headers: ["X-Time": "7"]))
            let unbounded = try simulation.client(transport) {
                DeadlineFieldInterceptor(Self.field)
            }
            _ = try await unbounded.send(.get(orders))

            return transport.sent.map { $0.input.headers["X-Time"] }
        }

        expectEqual(fields[0], "10000")
        expectEqual(fields[1].flatMap { Int($0) }.map { 8900...8999 ~= $0 }, true)
        expectEqual(fields[2...], ["7", nil])
    }

    @Test("is refused with an invalid field name", arguments: ["", "X Time", "X-Time:"])
    func refused(name: String) {
        let error = #expect(throws: PipelineError.self) {
            try Pipeline(transport: Discarding()) { DeadlineFieldInterceptor(.seconds(name)) }
        }

        expectTrue(error?.cause is HTTP.RequestError)
    }
}
