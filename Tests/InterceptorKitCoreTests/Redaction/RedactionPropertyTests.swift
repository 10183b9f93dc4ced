import Expectations
import InterceptorKit
import InterceptorKitInspection
import InterceptorKitTesting
import Scenarios
import TestRun
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Redaction of planted secrets")
struct RedactionPropertyTests {
    private static let secret = "s3cr3t"

    @Test("keeps 2,000 secrets out of events, logs, archives, commands and pages")
    func planted() async throws {
        try await besideOtherTests {
            try simulate(seeds: 0..<(2 * seedCount)) { simulation in
                var plant = Plant(Self.secret, seed: simulation.seed)
                let sink = RecordingEventSink()
                let page = Timeline(runtime: simulation.runtime)
                let request = plant.request()
                let response = plant.response()
                let failure = plant.error()
                let records = Recorder<String>()
                let log = LoggingInterceptor(.bodies, runtime: simulation.runtime) {
                    records.note($0)
                }
                let recorder = HARRecorder(bodyLimit: 64 << 10)
                let client = try HTTP.Client(
                    transport: PlantedTransport(response, or: failure),
                    runtime: simulation.runtime,
                    events: CompositeEventSink([sink, page])
                ) {
                    log
                    SignInterceptor(.hmacSHA256(keyID: "k", secret: Self.secret))
                    recorder
                }

                let answer = try? await client.send(request)
                let entry = HAR.Builder().entry(
                    request,
                    body: .bytes(plant.sentBody),
                    outcome: .response(answer ?? response, .bytes(plant.body)),
                    startedAt: simulation.runtime.date,
                    timings: HAR.Timings(wait: .zero, receive: .zero),
                    events: (sink.events, Runtime.Instant(offset: .zero))
                )

                await log.flush()
                let entries = recorder.archive.log.entries + [entry]
                let archive = try JSONEncoder().encode(HAR(entries: entries))
                let shown =
                    sink.timeline + records.entries.joined() + request.curlCommand() + page.html()
                    + String(decoding: archive, as: UTF8.self)
                try require(!shown.contains(Self.secret), "\(request.url.text)\n\(shown)")
            }
        }
    }
}
