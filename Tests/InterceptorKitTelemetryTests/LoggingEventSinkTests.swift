#if Logging
import InMemoryLogging
import InterceptorKit
import InterceptorKitTelemetry
import InterceptorKitTesting
import Logging
import Synchronization
import Testing

@Suite("LoggingEventSink")
struct LoggingEventSinkTests {
    @Test("logs one line for a call when the logger's level is info")
    func oneLine() async throws {
        let lines = try await Self.lines(
            [.status(503), .status(200).after(.milliseconds(120))],
            at: .info
        )

        #expect(lines.count == 1)
        let line = try #require(lines.first)
        #expect(line.level == .info)
        let message = line.message.description
        #expect(message.hasPrefix("GET https://api.example.com/orders/7?token=██: 200 OK after "))
        #expect(line.metadata["event"] == "call.ended")
        #expect(line.metadata["call"]?.description.count == 16)
    }

    @Test("logs a failed call as a warning")
    func failure() async throws {
        let error = TransportError(.tls, "No trust in https://u:pw@h/?token=hidden.")
        let lines = try await Self.lines([.fail(error)], at: .warning, for: .post(order, body: "x"))

        #expect(lines.map(\.level) == [.warning])
        #expect(lines.first?.message.description.contains("No trust") == true)
        #expect(lines.first?.metadata["error.type"] == "TransportError")
    }

    @Test("logs a cancelled call at info, not as a failure")
    func cancelled() async throws {
        let lines = try await Self.lines([.fail(CancellationError())], at: .info)

        #expect(lines.map(\.level) == [.info])
        #expect(lines.first?.message.description.contains("██: cancelled after 0 s") == true)
    }

    @Test("logs sends and decisions at debug, and further events at trace")
    func details() async throws {
        let steps: [ScriptStep<HTTP.Request>] = [.status(503), .status(200)]

        let debug = try await Self.lines(steps, at: .debug)
        let trace = try await Self.lines(steps, at: .trace)

        #expect(
            debug.map { $0.metadata["event"]?.description } == [
                "stage.left", "retry.scheduled", "stage.left", "call.ended",
            ]
        )
        #expect(debug.first?.message.description.contains("attempt 1 by ") == true)
        #expect(debug.first?.message.description.hasSuffix(": 503 Service Unavailable") == true)
        #expect(debug.first?.metadata["http.response.status_code"] == "503")
        #expect(
            debug.dropFirst().first?.message.description == "retry.scheduled from RetryInterceptor"
        )
        #expect(trace.count > debug.count)
        #expect(Set(trace.map(\.level)) == [.info, .debug, .trace])
    }

    @Test("never shows a secret, at any level")
    func secrets() async throws {
        let request = HTTP.Request.get(
            order,
            headers: ["Authorization": "Bearer hidden", "Cookie": "a=hidden"]
        )
        let steps: [ScriptStep<HTTP.Request>] = [
            .status(401, headers: ["Set-Cookie": "s=hidden"]),
            .fail(TransportError(.other, "Sent Authorization: Bearer hidden")),
        ]

        let lines = try await Self.lines(steps, at: .trace, for: request, token: true)

        #expect(lines.count > 5)
        #expect(!lines.contains { "\($0.message) \($0.metadata)".contains("hidden") })
    }

    @Test("does not listen while the logger's level admits nothing")
    func silent() async throws {
        var logger = Logger(label: "test") { _ in InMemoryLogHandler() }
        logger.logLevel = .error
        let silent = LoggingEventSink(logger)
        var levels = LogLevels()
        levels.failures = .error
        let listening = LoggingEventSink(logger, levels: levels)

        #expect(!silent.isListening)
        #expect(listening.isListening)
        #expect(!Call(events: silent).isObserved)
    }

    @Test("omits the events whose level is nil")
    func omitted() async throws {
        var levels = LogLevels()
        levels.calls = nil
        levels.sends = nil

        let lines = try await Self.lines([.status(503), .status(200)], at: .debug, levels: levels)

        #expect(lines.map { $0.metadata["event"]?.description } == ["retry.scheduled"])
    }

    @Test("asks the metadata provider in the caller's task context")
    func provider() async throws {
        let lines = try await Traced.$id.withValue("4bf9") {
            try await Self.lines([.status(200)], at: .info, isTraced: true)
        }

        #expect(lines.map { $0.metadata["trace"] } == ["4bf9"])
    }

    @Test("delays no call while a handler is stuck, and drops excess events")
    func stuck() async throws {
        let handler = StuckHandler()
        let sink = LoggingEventSink(Logger(label: "test") { _ in handler }, buffering: 10)
        let client = try HTTP.Client(
            transport: ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) },
            events: sink
        ) {}

        for _ in 0..<50 { _ = try await client.send(.get(order)) }

        #expect(sink.missed >= 30)
        handler.letGo()
        await sink.flush()
        #expect(handler.written == 50 - sink.missed)
    }

    private static func lines(
        _ steps: [ScriptStep<HTTP.Request>],
        at level: Logger.Level,
        for request: HTTP.Request = .get(order),
        levels: LogLevels = LogLevels(),
        token: Bool = false,
        isTraced: Bool = false
    ) async throws -> [InMemoryLogHandler.Entry] {
        var handler = InMemoryLogHandler()
        handler.logLevel = level
        if isTraced {
            handler.metadataProvider = Logger.MetadataProvider { ["trace": "\(Traced.id)"] }
        }
        let kept = handler
        let sinkLogger = Logger(label: "test") { _ in kept }
        let id = Traced.id
        try await onSeeds(0..<1) { simulation in
            let sink = LoggingEventSink(sinkLogger, levels: levels, runtime: simulation.runtime)
            let client = try HTTP.Client(
                transport: ScriptedTransport(replies: steps),
                runtime: simulation.runtime,
                events: sink
            ) {
                RetryInterceptor(policy: .steady)
                if token {
                    TokenInterceptor(
                        source: RefreshableCredential { _ in .bearer("hidden") },
                        origins: ["https://api.example.com"]
                    )
                }
            }
            await Traced.$id.withValue(id) {
                _ = try? await client.send(request)
            }
            await sink.flush()
        }
        return kept.entries
    }
}

private enum Traced {
    @TaskLocal static var id = "none"
}
#endif
