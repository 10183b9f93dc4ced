import Expectations
import InterceptorKit
import InterceptorKitTesting
import Testing

extension EngineScenario {
    static let timeLimits = [
        limit("ends a call of a client with a time limit, and says whose it is", .total) {
            transport,
            url in
            try await HTTP.Client(transport: transport, timeout: soon).send(.get(url))
        },
        limit("ends a call with a time limit of its own, and says whose it is", .total) {
            transport,
            url in
            try await HTTP.Client(transport: transport).send(.get(url), timeout: soon)
        },
        limit("ends an attempt with a time limit, and says whose it is", .attempt) {
            transport,
            url in
            try await HTTP.Client(transport: transport) { TimeoutInterceptor(attempt: soon) }.send(
                .get(url)
            )
        },
    ]

    private static let soon = Duration.milliseconds(200)

    private static func limit(
        _ name: String,
        _ code: TimeoutError.Code,
        _ send: @escaping @Sendable (any WatchedTransport, HTTP.URL) async throws -> HTTP.Response
    ) -> EngineScenario {
        EngineScenario(name) { makeTransport in
            let server = try LoopbackServer { _ in .stalled }
            let transport = try makeTransport()

            let error = await #expect(throws: TimeoutError.self) {
                _ = try await send(transport, server.url("/"))
            }

            expectEqual(error?.code, code)
            expectEqual(error?.limit, soon)
        }
    }
}
