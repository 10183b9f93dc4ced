import Expectations
import InterceptorKit
import InterceptorKitInspection
import InterceptorKitTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct HARBuilderTests {
    private let timings = HAR.Timings(wait: .seconds(1), receive: .milliseconds(250))

    private func entry(
        _ request: HTTP.Request,
        body: HTTP.CapturedBody = .bytes(Data()),
        outcome: HAR.Builder.Outcome = .response(HTTP.Response(204), .bytes(Data())),
        hiding names: [String] = []
    ) -> HAR.Entry {
        HAR.Builder().entry(
            request,
            body: body,
            outcome: outcome,
            startedAt: Date(timeIntervalSince1970: 1_767_225_600.25),
            timings: timings,
            hiding: names
        )
    }

    @Test("shows a request as sent, with its secrets hidden")
    func request() {
        let shown = entry(
            .get(
                "HTTPS://API.example:443?b=%20x&token=s#part",
                headers: ["accept": "text/plain", "Authorization": "Bearer s", "Host": "h"]
            ),
            hiding: ["host"]
        )

        expectEqual(shown.startedDateTime, "2026-01-01T00:00:00.250Z")
        expectEqual(shown.time, 1250)
        expectEqual(shown.request.url, "https://api.example/?b=%20x&token=██")
        expectEqual(
            shown.request.queryString,
            [
                HAR.Field(name: "b", value: " x"), HAR.Field(name: "token", value: "██"),
            ]
        )
        expectEqual(shown.request.headers.map(\.name), ["accept", "Authorization", "Host"])
        expectEqual(shown.request.headers.map(\.value), ["text/plain", "██", "██"])
        expectEqual(shown.request.postData, nil)
        expectEqual(shown.request.bodySize, 0)
    }

    @Test("writes text as text, binary in Base64, and why a body is omitted")
    func bodies() {
        let bytes = Data([0, 0xFF])
        let text = entry(
            .post("https://h/", headers: ["Content-Type": "application/json"], body: "{}"),
            body: .bytes(Data("{}".utf8)),
            outcome: .response(
                HTTP.Response(headers: ["Content-Type": "image/png"], body: .bytes(bytes)),
                .bytes(bytes)
            )
        )
        let unread = entry(
            .post("https://h/"),
            body: .unread("one-shot stream, 2 bytes"),
            outcome: .response(HTTP.Response(body: .bytes(bytes)), .unread("it is too large"))
        )

        expectEqual(text.request.postData?.text, "{}")
        expectEqual(text.request.postData?.mimeType, "application/json")
        expectEqual(text.response.content.text, "AP8=")
        expectEqual(text.response.content.encoding, "base64")
        expectEqual(text.response.content.bytes, bytes)
        expectEqual(
            unread.request.postData?.comment,
            "The content was not read: one-shot stream, 2 bytes."
        )
        expectEqual(unread.response.content.bytes, nil)
        expectEqual(unread.response.content.size, 2)
    }

    @Test("shows no more of a media type than of its field")
    func mediaTypes() {
        let type = "text/plain; token=abc"
        let request = HTTP.Request.post("https://h/", headers: ["Content-Type": type], body: "x")
        let response = HTTP.Response(headers: ["content-type": type], body: "x")

        for (redaction, shown) in [
            (Redaction.standard, "text/plain; token=██"), (Redaction(shownFields: []), "██"),
        ] {
            let entry = HAR.Builder(redaction: redaction).entry(
                request,
                body: .bytes(Data("x".utf8)),
                outcome: .response(response, .bytes(Data("x".utf8))),
                startedAt: Date(),
                timings: HAR.Timings(wait: .zero, receive: .zero)
            )

            expectEqual(entry.request.postData?.mimeType, shown)
            expectEqual(entry.response.content.mimeType, shown)
        }
    }

    @Test("writes a failure as a response with status 0 and the reason")
    func failure() {
        let error = TransportError(.timedOut, "No answer came in 5 s.", isUnsent: true)

        let shown = entry(.get("https://h/"), outcome: .failure(error))

        expectEqual(shown.response.status, 0)
        expectEqual(
            shown.response.failure,
            HAR.Failure(
                code: "timedOut",
                message: "No answer came in 5 s.",
                isUnsent: true
            )
        )
    }

    @Test("writes events with their offsets, by its own redaction")
    func events() throws {
        let sink = RecordingEventSink()
        let shown = try Simulation.run { simulation in
            let start = simulation.now
            try await simulation.runtime.sleep(for: .milliseconds(20))
            Call(runtime: simulation.runtime, events: sink).withAttempt(2).emit(
                .retryScheduled,
                from: "RetryInterceptor",
                [
                    "delay": .duration(.seconds(1)), "reason": .text("token=abc was refused"),
                    "http.request.header.x-key": .text("abc"),
                    "url.full": .text("https://h/?k=abc"),
                    "input": .text("GET https://h/?k=abc"),
                ]
            )
            return HAR.Builder().entry(
                .get("https://h/"),
                body: .bytes(Data()),
                outcome: .response(HTTP.Response(), .bytes(Data())),
                startedAt: simulation.runtime.date,
                timings: HAR.Timings(wait: .zero, receive: .zero),
                events: (sink.events, since: start)
            )
        }

        let event = try unwrap(shown.events?.first)
        expectEqual(event.name, "retry.scheduled")
        expectEqual(event.offset, 20)
        expectEqual(event.attempt, 2)
        expectEqual(event.attributes, ["delay": "1 s", "reason": "token=██ was refused"])
    }

    @Test("is restored with the request's content, or not at all")
    func restored() async throws {
        let post = HTTP.Request.post("https://h/", body: "abc")

        let whole = try entry(post, body: .bytes(Data("abc".utf8))).request.restored()
        let unread = entry(post, body: .unread("one-shot stream")).request
        var bare = unread
        bare.postData = nil
        bare.bodySize = 3

        expectEqual(whole.body.inMemory, Data("abc".utf8))
        for request in [unread, bare] {
            let error = #expect(throws: HTTP.ContentError.self) { try request.restored() }
            expectEqual(error?.code, .bodyNotRecorded)
            expectEqual(request.restoredHead.method, .post)
        }
    }
}
