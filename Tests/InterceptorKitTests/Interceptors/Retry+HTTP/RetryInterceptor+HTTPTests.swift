import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("RetryInterceptor for HTTP, in one line")
struct RetryInterceptorHTTPTests {
    private func attempts(
        _ statuses: [HTTP.Status],
        // Made for each run, since a retry's budget is its own.
        _ retry: @escaping @Sendable () -> RetryInterceptor<HTTP.Request>,
        _ request: HTTP.Request = .get(orders)
    ) async throws -> [String] {
        try await onEverySeed { simulation in
            let transport = ScriptedTransport(replies: statuses.map { .status($0) })
            let client = try simulation.client(transport) { retry() }
            return try await client.send(request).attempts.map(\.reason)
        }
    }

    @Test("sends four times in all without a word")
    func standard() async throws {
        try await expectEqual(attempts([503, 503, 503, 503], { RetryInterceptor() }).count, 4)
    }

    @Test("has one attempt on record after one send")
    func single() async throws {
        try await expectEqual(attempts([200], { RetryInterceptor() }), ["success"])
        try await expectEqual(attempts([404], { RetryInterceptor() }), ["404 Not Found"])
    }

    @Test("sends as often as told")
    func maximum() async throws {
        let statuses: [HTTP.Status] = [503, 503, 503, 503, 200]

        try await expectEqual(attempts(statuses, { RetryInterceptor(maxAttempts: 5) }).count, 4)
        try await expectEqual(
            attempts(statuses.suffix(3), { RetryInterceptor(maxAttempts: 2) }).count,
            2
        )
    }

    @Test("repeats what a condition names, also a POST and a success")
    func condition() async throws {
        let conflicts: @Sendable () -> RetryInterceptor<HTTP.Request> = {
            RetryInterceptor(alsoWhen: { $0.response?.status == .conflict })
        }
        let accepted: @Sendable () -> RetryInterceptor<HTTP.Request> = {
            RetryInterceptor(alsoWhen: { $0.response?.status == .accepted })
        }

        try await expectEqual(attempts([409, 200], conflicts, .post(orders)).count, 2)
        try await expectEqual(attempts([202, 200], accepted).count, 2)
        try await expectEqual(attempts([404], conflicts), ["404 Not Found"])
        try await expectEqual(attempts([503], conflicts, .post(orders)).count, 1)
    }
}
