import ConformanceReference
import EngineScenarios
import Expectations
import InterceptorKit
import TestRun
import Testing

@Suite("StreamSurvival", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(10)))
struct StreamSurvivalTests {
    @Test("a correct transport loses and doubles nothing")
    func correct() async throws {
        var survival = StreamSurvival(events: 500)

        let report = try await survival.run("reference", over: ReferenceTransport())

        expectEqual("\(report)", "streams reference: 500 events over 50 breaks, 0 lost, 0 doubled")
        expectEqual(report.wrong, 0)
        expectEqual(report.breaks, survival.breaks)
        expectTrue(report.reconnections >= 50)
    }

    @Test("a transport that completes what was cut off is found out")
    func completed() async throws {
        var survival = StreamSurvival(events: 500)
        let transport = MangledTransport(body: .ends(with: "\n\n"))

        let report = try await survival.run("broken", over: transport)

        expectTrue(report.wrong > 0)
    }
    @Test("a transport that resumes one event too late loses events")
    func skipped() async throws {
        var survival = StreamSurvival(events: 500)
        let transport = MangledTransport(request: { request in
            guard let last = request.headers["Last-Event-ID"].flatMap({ Int($0) }) else { return }
            request.headers["Last-Event-ID"] = "\(last + 1)"
        })

        let report = try await survival.run("broken", over: transport)

        expectTrue(report.lost > 0)
    }
}
