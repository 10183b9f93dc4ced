import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("HTTP.Response")
struct ResponseTests {
    @Test("passes a failure to decode to its handler, which may rename it")
    func naming() async throws {
        var response = HTTP.Response(body: "[]")
        let recorder = Recorder<String>()
        response.onDecodingFailure = { error in
            recorder.note("\(type(of: error))")
            return Problem(text: "named")
        }
        let large = response

        await #expect(throws: Problem(text: "named")) { try await response.decode(Int.self) }
        await #expect(throws: Problem(text: "named")) {
            try await large.decode(Int.self, upTo: 1)
        }
        var cancelled = response
        cancelled.body = .replayable { () -> HTTP.Body in throw CancellationError() }
        await #expect(throws: CancellationError.self) { try await cancelled.decode(Int.self) }
        expectEqual(recorder.entries, ["DecodingFailure", "ContentError"])
    }

    @Test(
        "may be endless by its media type",
        arguments: [
            ("text/event-stream", true), ("Text/Event-Stream; charset=utf-8", true),
            ("multipart/x-mixed-replace;boundary=a", true), ("multipart/form-data", false),
            ("application/json; a=text/event-stream", false), ("", false), (nil, false),
        ] as [(String?, Bool)]
    )
    func endless(type: String?, isEndless: Bool) {
        var response = HTTP.Response()
        response.headers["Content-Type"] = type

        expectEqual(response.isEndless, isEndless)
    }

    @Test("changes no copy of itself")
    func copies() {
        let first = HTTP.Response(headers: ["A": "1"])
        var second = first
        second.headers["A"] = "2"
        second.status = 404
        var third = second
        third.headers.append(name: "B", value: "3")
        third.fallbackReason = "stored"

        expectEqual(first.headers, ["A": "1"])
        expectEqual([first.status, second.status, third.status], [200, 404, 404])
        expectEqual(second.headers, ["A": "2"])
        expectEqual(third.headers, ["A": "2", "B": "3"])
        expectEqual(second.fallbackReason, nil)
    }

    @Test("shows its status and its body's size")
    func description() {
        let response = HTTP.Response(404, headers: ["X-Key": "s3cret"], body: "s3cret")

        expectEqual("\(response)", "404 Not Found, 6 bytes")
    }
}
