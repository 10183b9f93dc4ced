import InterceptorKit
import InterceptorKitTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Activities, whatever happens")
struct ActivityPropertyTests {
    @Test("each that begins ends once, within its parent", arguments: [false, true])
    func matched(hedged: Bool) async throws {
        let counts = Recorder<Int>()
        try await besideOtherTests {
            try simulate(seeds: 0..<2000) { simulation in
                let sink = RecordingEventSink()

                try await storm(simulation, sink, hedged)

                try #require(unmatchedActivities(sink.events) == [])
                let names = sink.names
                try #require(
                    names.count { $0 == .refreshStarted } == names.count { $0 == .refreshEnded }
                )
                counts.note(names.count)
            }
        }

        let endings = counts.entries
        #expect(endings.count == 2000)
        #expect(endings.allSatisfy { $0 > 20 })
    }

    /// Some calls at once, of which some are cancelled, answered badly or never, and whose bodies are
    /// read, left or looked into.
    private func storm(
        _ simulation: Simulation,
        _ sink: RecordingEventSink,
        _ hedged: Bool
    ) async throws {
        let client = try Self.client(simulation, sink, hedged)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                let call = simulation.runtime.start("call \(number)") {
                    guard let response = try? await client.send(.get(orders)) else { return }
                    switch simulation.runtime.random() % 4 {
                    case 0: _ = try? await response.body.collect()
                    case 1: _ = try? await Self.firstChunk(of: response.body)
                    case 2: await response.discard()
                    default: break
                    }
                }
                group.addTask { await call.value }
                guard simulation.runtime.random() % 3 == 0 else { continue }
                let patience = Duration.milliseconds(Int(simulation.runtime.random() % 4000))
                group.addTask {
                    try? await simulation.runtime.sleep(for: patience)
                    call.cancel()
                }
            }
        }
    }

    private static func firstChunk(of body: HTTP.Body) async throws -> Data? {
        var chunks = body.makeAsyncIterator()
        return try await chunks.next()
    }

    private static func client(
        _ simulation: Simulation,
        _ sink: RecordingEventSink,
        _ hedged: Bool
    ) throws -> HTTP.Client {
        var settings = StandardSettings<HTTP.Request>()
        if hedged {
            settings.retry = nil
            settings.hedge = .standard
        }
        let transport = try ChaosTransport(
            over: Streaming(),
            [
                .refused(rate: 0.1), .reset(rate: 0.1), .status(503, rate: 0.1),
                .latency(rate: 0.2, .seconds(3)), .truncated(rate: 0.1), .slow(rate: 0.1),
            ]
        )
        return try HTTP.Client.standard(
            transport: transport,
            settings,
            runtime: simulation.runtime,
            events: sink
        ) {
            ErrorFilterInterceptor()
            TokenInterceptor(
                source: FixedCredential(.bearer("t")),
                origins: ["https://api.example.com"]
            )
            CompositeInterceptor("last") {
                SignInterceptor(.hmacSHA256(keyID: "k", secret: "s"))
            }
        }
    }
}

private struct Streaming: Transport {
    func send(_ input: HTTP.Request, call: Call) async throws -> HTTP.Response {
        try await call.runtime.sleep(for: .milliseconds(Int(call.runtime.random() % 50)))
        let status: HTTP.Status = call.runtime.random() % 8 == 0 ? 401 : 200
        return HTTP.Response(status, body: .oneShot(CountingStream(chunks: 4)), request: input)
    }
}
