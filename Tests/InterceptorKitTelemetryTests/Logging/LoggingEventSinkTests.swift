#if Logging
import Expectations
import InMemoryLogging
import InterceptorKit
import InterceptorKitTelemetry
import InterceptorKitTesting
import Logging
import Testing

@Suite("LoggingEventSink")
struct LoggingEventSinkTests {
    @Test("asks the metadata provider in the caller's task context")
    func provider() async throws {
        let lines = try await Traced.$id.withValue("4bf9") {
            try await LoggedRun.lines([.status(200)], at: .info, isTraced: true)
        }

        expectEqual(lines.map { $0.metadata["trace"] }, ["4bf9"])
    }

    @Test("names who calls only by the provider for it")
    func endUser() async throws {
        let lines = InMemoryLogHandler()
        var named = Logger(label: "named") { _ in lines }
        named.handler.metadataProvider = .endUser
        let others = Logger(label: "others") { _ in lines }
        var call = Call()
        call.principal = Principal("alice", issuer: "i")

        await call.serve { [named] in
            named.info("1")
            others.info("2")
        }
        named.info("3")

        expectEqual(lines.entries.map { $0.metadata["enduser.id"] }, ["i alice", nil, nil])
    }

    @Test("delays no call while a handler is stuck, and drops excess events")
    func stuck() async throws {
        let handler = StuckHandler()
        let sink = LoggingEventSink(Logger(label: "test") { _ in handler }, buffering: 10)
        let client = try HTTP.Client(
            transport: ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) },
            timeout: nil,
            events: sink
        ) {}

        for _ in 0..<50 { _ = try await client.send(.get(order)) }

        expectTrue(sink.missed >= 30)
        handler.release()
        await sink.flush()
        expectEqual(handler.written, 50 - sink.missed)
    }
}
#endif
