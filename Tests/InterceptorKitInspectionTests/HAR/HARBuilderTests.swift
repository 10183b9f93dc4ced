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

        #expect(shown.startedDateTime == "2026-01-01T00:00:00.250Z")
        #expect(shown.time == 1250)
        #expect(shown.request.url == "https://api.example/?b=%20x&token=██")
        #expect(
            shown.request.queryString == [
                HAR.Field(name: "b", value: " x"), HAR.Field(name: "token", value: "██"),
            ]
        )
        #expect(shown.request.headers.map(\.name) == ["accept", "Authorization", "Host"])
        #expect(shown.request.headers.map(\.value) == ["text/plain", "██", "██"])
        #expect(shown.request.postData == nil)
        #expect(shown.request.bodySize == 0)
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

        #expect(text.request.postData?.text == "{}")
        #expect(text.request.postData?.mimeType == "application/json")
        #expect(text.response.content.text == "AP8=")
        #expect(text.response.content.encoding == "base64")
        #expect(text.response.content.bytes == bytes)
        #expect(
            unread.request.postData?.comment
                == "The content was not read: one-shot stream, 2 bytes."
        )
        #expect(unread.response.content.bytes == nil)
        #expect(unread.response.content.size == 2)
    }

    @Test("writes a failure as a response with status 0 and the reason")
    func failure() {
        let error = TransportError(.timedOut, "No answer came in 5 s.", isUnsent: true)

        let shown = entry(.get("https://h/"), outcome: .failure(error))

        #expect(shown.response.status == 0)
        #expect(
            shown.response.failure
                == HAR.Failure(
                    code: "timed out",
                    message: "No answer came in 5 s.",
                    isUnsent: true
                )
        )
    }

    @Test("writes the events of an exchange with their offsets")
    func events() throws {
        let sink = RecordingEventSink()
        let shown = try Simulation.run { simulation in
            let start = simulation.now
            try await simulation.runtime.sleep(for: .milliseconds(20))
            Call(runtime: simulation.runtime, events: sink).withAttempt(2).emit(
                .retryScheduled,
                from: "RetryInterceptor",
                ["delay": .duration(.seconds(1))]
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

        let event = try #require(shown.events?.first)
        #expect(event.name == "retry.scheduled")
        #expect(event.offset == 20)
        #expect(event.attempt == 2)
        #expect(event.attributes == ["delay": "1 s"])
    }
}
