import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("Call.redaction")
struct CallRedactionTests {
    private static let url = "https://api.example.com/find?lastname=planted"

    private static var stricter: Redaction {
        var redaction = Redaction.standard
        redaction.hiddenNames.insert("lastname")
        return redaction
    }

    private static func told(
        _ redaction: Redaction?,
        configure: (inout Call) throws -> Void = { _ in }
    ) async throws -> String {
        let sink = RecordingEventSink()
        let client = try HTTP.Client(
            transport: CannedTransport { throw Problem(text: "lastname=planted is unknown") },
            timeout: nil,
            events: sink,
            redaction: redaction
        ) {}
        _ = try? await client.send(.get(HTTP.URL(unvalidated: url)), configure: configure)
        expectTrue(sink.events.contains { $0.attributes["error.message"] != nil })
        return sink.timeline
    }

    @Test("is the client's, for requests and errors")
    func client() async throws {
        try await expectTrue(Self.told(nil).contains("planted"))
        try await expectTrue(!Self.told(Self.stricter).contains("planted"))
    }

    @Test("can be set for one call")
    func call() async throws {
        let told = try await Self.told(nil) { $0.redaction = Self.stricter }

        expectTrue(!told.contains("planted"))
    }

    @Test("is what clients from settings and the standard ones pass on")
    func constructors() async throws {
        var settings = HTTP.Client.Settings(baseURL: "https://api.example.com")
        settings.strategies.retry = nil
        let sink = RecordingEventSink()
        let clients = [
            try HTTP.Client(
                settings,
                transport: CannedTransport(200),
                events: sink,
                redaction: Self.stricter
            ),
            try .standard(transport: CannedTransport(200), events: sink, redaction: Self.stricter),
        ]

        for client in clients { _ = try await client.send(.get(HTTP.URL(unvalidated: Self.url))) }

        expectTrue(sink.names.contains(.callEnded))
        expectTrue(!sink.timeline.contains("planted"))
    }

    @Test("leaves no message of errors where the input is not HTTP")
    func generic() async throws {
        let sink = RecordingEventSink()
        let pipeline = try Pipeline(
            transport: Echo<Int> { _, _ in throw Problem(text: "planted") },
            events: sink
        ) { Adding(amount: 1) }

        _ = try? await pipeline.run(1)
        _ = try? await pipeline.run(1, call: Call(events: sink))

        let failures = sink.events.filter { $0.phase == .ended(.failed) }
        expectEqual(failures.count, 6)
        let shown = failures.flatMap(\.attributes).filter { $0.key != "duration" }.map(
            \.value.description
        )
        expectEqual(shown, Array(repeating: "Problem", count: 6))
        expectTrue(!sink.timeline.contains("planted"))
    }

    @Test("leaves the message that an input's type gives")
    func described() async throws {
        let sink = RecordingEventSink()
        let pipeline = try Pipeline(transport: Refusing(), events: sink) {}

        _ = try? await pipeline.run(Job(), call: Call(events: sink))

        let failures = sink.events.filter { $0.phase == .ended(.failed) }
        expectEqual(failures.count, 2)
        expectTrue(failures.allSatisfy { $0.attributes["error.message"] == .text("a job failed") })
    }
}

private struct Job: Interceptable {
    static func redactedDescription(of error: any Error, on call: Call) -> String? {
        "a job failed"
    }
}

private struct Refusing: Transport {
    func send(_ input: Job, call: Call) async throws -> Job { throw Problem(text: "planted") }
}
