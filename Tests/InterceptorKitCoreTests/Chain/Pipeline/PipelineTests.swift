import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("Pipeline")
struct PipelineTests {
    private let recorder = Recorder<String>()

    @Test("accepts a deliberate exception and shows its reason")
    func exception() throws {
        let pipeline = try Pipeline(transport: Discarding()) {
            SignInterceptor(.hmacSHA256(keyID: "k", secret: "s"))
                .unordered(because: "the gateway accepts one signature for all attempts")
            RetryInterceptor(policy: .standard)
        }

        expectTrue(
            pipeline.description.contains(
                "SignInterceptor, unordered because the gateway accepts one signature for all attempts"
            )
        )
    }

    @Test("reports a literal that isn't a URL or origin when it is built")
    func invalidLiterals() {
        let url = #expect(throws: PipelineError.self) {
            try Pipeline(transport: Discarding()) { BaseURLInterceptor("api.example.com") }
        }
        let origin = #expect(throws: PipelineError.self) {
            try Pipeline(transport: Discarding()) {
                TokenInterceptor(
                    source: FixedCredentialSource(.bearer("t")),
                    origins: ["https://api.example.com/v1"]
                )
            }
        }

        expectTrue(url?.cause as? HTTP.RequestError != nil)
        expectEqual(origin?.message.contains("is not an origin"), true)
    }

    @Test("validates the joined list, and leaves the original pipeline unchanged")
    func addingIsChecked() async throws {
        let pipeline = try Pipeline(transport: Echo<Int>()) { RetryInterceptor(policy: .standard) }

        #expect(throws: PipelineError.self) {
            try pipeline.adding { RetryInterceptor(policy: .standard) }
        }
        expectEqual(pipeline.interceptors.count, 1)
    }

    @Test("reports entering and leaving each stage, and skips inactive containers")
    func events() async throws {
        let sink = Sink()
        let pipeline = try Pipeline(transport: Echo<Int>(), events: sink) {
            Adding(amount: 1)
            CompositeInterceptor("never", when: { _, _ in false }) { Adding(amount: 100) }
            AnyInterceptor("closure") { chain in try await chain.proceed() }
        }

        let output = try await pipeline.run(1)

        expectEqual(output, 2)
        expectEqual(
            sink.recorder.entries,
            [
                "call.began call", "stage.entered Adding", "stage.entered closure",
                "stage.entered Echo", "stage.left Echo", "stage.left closure",
                "stage.left Adding", "call.ended call",
            ]
        )
    }
}

private struct Sink: EventSink {
    let recorder = Recorder<String>()

    func record(_ event: Event) {
        let type = event.attributes["error.type"].map { " \($0)" } ?? ""
        recorder.note("\(event.name) \(event.source)\(type)")
    }
}
