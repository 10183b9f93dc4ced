#if Logging
import Expectations
import InMemoryLogging
import InterceptorKit
import InterceptorKitTelemetry
import InterceptorKitTesting
import Logging
import Testing

@Suite("LoggingEventSink at its levels")
struct LogLevelsTests {
    @Test("logs a failed call as a warning")
    func failure() async throws {
        let error = TransportError(.tls, "No trust in https://u:pw@h/?token=hidden.")
        let lines = try await LoggedRun.lines(
            [.fail(error)],
            at: .warning,
            for: .post(order, body: "x")
        )

        expectEqual(lines.map(\.level), [.warning])
        expectEqual(lines.first?.message.description.contains("No trust"), true)
        expectEqual(lines.first?.metadata["error.type"], "TransportError")
        expectEqual(lines.first?.metadata["error.message"], nil)
    }

    @Test("logs a cancelled call at info, not as a failure")
    func cancelled() async throws {
        let lines = try await LoggedRun.lines([.fail(CancellationError())], at: .info)

        expectEqual(lines.map(\.level), [.info])
        expectEqual(lines.first?.message.description.contains("██ → cancelled (0 ms)"), true)
    }

    @Test("logs sends and decisions at debug, and further events at trace")
    func details() async throws {
        let steps: [ScriptStep<HTTP.Request>] = [.status(503), .status(200)]

        let debug = try await LoggedRun.lines(steps, at: .debug)
        let trace = try await LoggedRun.lines(steps, at: .trace)

        expectEqual(
            debug.map { $0.metadata["event"]?.description },
            [
                "stage.left", "retry.scheduled", "stage.left", "call.ended",
            ]
        )
        expectEqual(debug.first?.message.description.contains("attempt 1 by "), true)
        expectEqual(debug.first?.message.description.hasSuffix(" → 503 Service Unavailable"), true)
        expectEqual(debug.first?.metadata["http.response.status_code"], "503")
        expectEqual(
            debug.dropFirst().first?.message.description,
            "retry.scheduled from RetryInterceptor"
        )
        expectTrue(trace.count > debug.count)
        expectEqual(Set(trace.map(\.level)), [.info, .debug, .trace])
    }

    @Test("omits the events whose level is nil")
    func omitted() async throws {
        var levels = LogLevels()
        levels.calls = nil
        levels.sends = nil

        let lines = try await LoggedRun.lines(
            [.status(503), .status(200)],
            at: .debug,
            levels: levels
        )

        expectEqual(lines.map { $0.metadata["event"]?.description }, ["retry.scheduled"])
    }

    @Test("does not listen while the logger's level admits nothing")
    func silent() async throws {
        var logger = Logger(label: "test") { _ in InMemoryLogHandler() }
        logger.logLevel = .error
        let silent = LoggingEventSink(logger)
        var levels = LogLevels()
        levels.failures = .error
        let listening = LoggingEventSink(logger, levels: levels)

        expectTrue(!silent.isListening)
        expectTrue(listening.isListening)
        expectTrue(!Call(events: silent).isObserved)
    }
}
#endif
