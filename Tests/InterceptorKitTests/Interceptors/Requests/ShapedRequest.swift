import InterceptorKit
import InterceptorKitTesting
import TestSupport

/// What interceptors make of a request, under the first seed.
func shaped(
    _ request: HTTP.Request,
    configure: @escaping @Sendable (inout Call) -> Void = { _ in },
    @InterceptorBuilder<HTTP.Request> by interceptors:
        @escaping @Sendable () -> [any Interceptor<
            HTTP.Request
        >]
) throws -> HTTP.Request {
    try Simulation.run { simulation in
        let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) }
        let client = try simulation.client(transport) { interceptors() }
        _ = try await client.send(request, configure: configure)
        return transport.sent[0].input
    }
}
