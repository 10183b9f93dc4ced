#if Logging
import Expectations
import InMemoryLogging
import InterceptorKit
import InterceptorKitTelemetry
import InterceptorKitTesting
import Logging
import Testing

@Suite("The text that LoggingEventSink writes")
struct LogTextTests {
    @Test("is one line for a call when the logger's level is info")
    func oneLine() async throws {
        let lines = try await LoggedRun.lines(
            [.status(503), .status(200).delayed(by: .milliseconds(120))],
            at: .info
        )

        expectEqual(lines.count, 1)
        let line = try unwrap(lines.first)
        expectEqual(line.level, .info)
        let message = line.message.description
        expectTrue(
            message.hasPrefix("GET https://api.example.com/orders/7?token=██ → 200 OK (")
        )
        expectEqual(line.metadata["event"], "call.ended")
        expectEqual(line.metadata["call"]?.description.count, 16)
    }

    @Test("has no line breaks and control characters of others' texts")
    func oneLineOnly() async throws {
        let steps: [ScriptStep<HTTP.Request>] = [
            .fail(TransportError(.other, "It broke.\r\nINFO forged\u{2028}\u{1B}[31m"))
        ]

        let lines = try await LoggedRun.lines(steps, at: .trace)

        let texts = lines.flatMap { line in
            [line.message.description] + line.metadata.values.map(\.description)
        }
        expectTrue(
            texts.contains { $0.contains("It broke.\u{FFFD}; INFO forged\u{FFFD}\u{FFFD}[31m") }
        )
        expectTrue(
            !texts.contains {
                $0.unicodeScalars.contains { $0.properties.isWhitespace && $0 != " " }
            }
        )
        expectTrue(!texts.contains { $0.unicodeScalars.contains("\u{1B}") })
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

        let lines = try await LoggedRun.lines(steps, at: .trace, for: request, token: true)

        expectTrue(lines.count > 5)
        expectTrue(!lines.contains { "\($0.message) \($0.metadata)".contains("hidden") })
    }
}
#endif
