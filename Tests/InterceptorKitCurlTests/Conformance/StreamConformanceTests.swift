import EngineScenarios
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitConformance
import InterceptorKitCurl
import InterceptorKitStreaming
import InterceptorKitTesting
import TestRun
import Testing

@Suite(
    "CurlTransport carries streams",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct StreamConformanceTests {
    @Test("carries streams of events as a transport must")
    func conforms() async {
        let report = await TransportConformance.runStreams(against: "curl") { try CurlTransport() }

        print(report)
        expectTrue(report.isConformant)
        expectTrue(report.results.count >= 45)
    }

    @Test("uses the connection of a model's output again after its end event")
    func modelConnection() async throws {
        let (chunks, end) = AsyncStream.makeStream(of: Data.self)
        let server = try LoopbackServer { request in
            .status(
                200,
                headers: ["Content-Type": "text/event-stream"],
                body: request.number == 1 ? .oneShot(chunks) : .text("data: [DONE]\n\n")
            )
        }
        defer { server.stop() }
        end.yield(Data("data: 1\n\ndata: [DONE]\n\n".utf8))
        let client = try HTTP.Client(
            transport: try CurlTransport(),
            runtime: .virtual(clock: VirtualClock())
        ) {}
        // The server ends its response when the end event is read, and not before.
        let decoder = HTTP.EventDecoder<String> { event in
            guard event.data == "[DONE]" else { return .output(event.data) }
            end.finish()
            return .end
        }

        for _ in 0..<2 {
            for try await _ in client.modelStream(.post(server.url("/")), decoding: decoder) {}
        }

        expectEqual(server.requests.map(\.connection), [1, 1])
    }

    @Test("loses and doubles no event over breaks and restarts of the server")
    func survival() async throws {
        var survival = StreamSurvival()

        let report = try await survival.run("curl", over: try CurlTransport())

        print(report)
        expectEqual(report.lost, 0)
        expectEqual(report.doubled, 0)
        expectEqual(report.wrong, 0)
        expectEqual(report.breaks, survival.breaks)
        // An engine may send a request again by itself whose connection was reset before the head.
        expectTrue(report.reconnections >= report.breaks * 4 / 5)
    }
}
