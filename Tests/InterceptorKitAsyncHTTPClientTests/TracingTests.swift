#if AsyncHTTPClient
import Expectations
import AsyncHTTPClient
import InMemoryTracing
import InterceptorKit
import InterceptorKitAsyncHTTPClient
import InterceptorKitTesting
import TestRun
import Testing

/// AsyncHTTPClient adds a tracer's fields to those that an interceptor has written.
@Suite(
    "AsyncHTTPClientTransport beneath tracing interceptors",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct TracingTests {
    private static let field = "in-memory-trace-id"

    private let tracer = InMemoryTracer()

    @Test("records no span and adds no header field with its own client")
    func ownClient() async throws {
        var configuration = AsyncHTTPClientTransport.defaultConfiguration
        configuration.tracing.tracer = tracer
        let server = try LoopbackServer { _ in .status(200) }
        let transport = AsyncHTTPClientTransport(configuration: configuration)

        try await send(to: server, by: transport)
        await transport.shutdown()

        expectEqual(server.requests.map { $0.headers.values(Self.field) }, [["interceptor"]])
        expectTrue(tracer.finishedSpans.isEmpty)
    }

    @Test("lets a client passed to it trace, which duplicates the header field")
    func givenClient() async throws {
        var configuration = AsyncHTTPClientTransport.defaultConfiguration
        configuration.tracing.tracer = tracer
        let server = try LoopbackServer { _ in .status(200) }
        let client = HTTPClient(configuration: configuration)

        try await send(to: server, by: AsyncHTTPClientTransport(client))
        try await client.shutdown()

        let values = server.requests.map { $0.headers.values(Self.field) }
        expectEqual(values.map(\.count), [2])
        expectEqual(values.map(\.first), ["interceptor"])
        expectEqual(tracer.finishedSpans.count, 1)
    }

    private func send(
        to server: LoopbackServer,
        by transport: AsyncHTTPClientTransport
    ) async throws {
        let request = HTTP.Request.get(server.url("/"), headers: [Self.field: "interceptor"])
        _ = try await transport.send(request, call: Call()).body.collect()
    }
}
#endif
