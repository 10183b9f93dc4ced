import ConformanceVectors
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitStreaming
import TestRun
import TestSupport
import Testing

private let generated = ProcessInfo.processInfo.environment["INTERCEPTORKIT_SSE"]

@Suite("Server-sent events against another implementation")
struct SSEDifferentialTests {
    private struct Row: Decodable {
        struct Event: Decodable, Equatable {
            let type: String
            let data: String
            let id: String
            let retry: Int?
        }

        let chunks: [String]
        let events: [Event]

        var body: HTTP.Body {
            .oneShot(
                AsyncStream<Data> { continuation in
                    for chunk in chunks { continuation.yield(Data(base64Encoded: chunk) ?? Data()) }
                    continuation.finish()
                }
            )
        }
    }

    @Test(
        "are interpreted alike, in random streams",
        .enabled(
            if: generated != nil,
            "no streams: run Tests/Comparisons/sse, which needs httpx-sse of PyPI"
        )
    )
    func differential() async throws {
        let path = try unwrap(generated)
        var result = Conformance("sse-httpx")

        // The file is a stream of records itself.
        for try await row in HTTP.Body.file(path).jsonLines(of: Row.self) {
            let headers: HTTP.Headers = ["Content-Type": "text/event-stream"]
            let response = HTTP.Response(200, headers: headers, body: row.body)
            var events: [Row.Event] = []
            for try await event in response.events() {
                let retry = event.retry.map { Int($0 / .milliseconds(1)) }
                events.append(
                    Row.Event(type: event.type, data: event.data, id: event.id ?? "", retry: retry)
                )
            }
            result.note(events == row.events, "\(row.chunks): \(events) instead of \(row.events)")
        }

        expectEqual(result.failures.prefix(10), [])
        print(result.summary)
    }
}
