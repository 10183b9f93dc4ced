import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("SignInterceptors and server clocks")
struct ClockSkewTests {
    private let date = Simulation.startDate

    private struct Run: Sendable {
        var statuses: [Int] = []
        var created: [Int] = []
        var events: [Event.Name] = []
    }

    /// Sends requests one after the other, and notes the times that were signed, from the start on.
    private func run(
        _ replies: [ScriptStep<HTTP.Request>],
        _ requests: [HTTP.Request] = [.get(orders)],
        learnsClockSkew: Bool = true
    ) throws -> Run {
        try Simulation.run { simulation in
            let transport = ScriptedTransport(replies: replies)
            let sink = RecordingEventSink()
            let client = try simulation.client(transport, events: sink) {
                SignInterceptor(
                    .hmacSHA256(keyID: "app-1", secret: "s3cret"),
                    learnsClockSkew: learnsClockSkew
                )
            }
            var run = Run()
            for request in requests {
                run.statuses.append(try await client.send(request).status.code)
            }
            let start = Int(Simulation.startDate.timeIntervalSince1970)
            run.created = transport.sent.compactMap { sent in
                let text = sent.input.headers["X-Signature"] ?? ""
                return text.split(separator: "created=").last
                    .flatMap { Int($0.prefix { $0 != "," }) }
                    .map { $0 - start }
            }
            run.events = sink.events.map(\.name)
            return run
        }
    }

    @Test("are not believed to be a century away, which could not be signed")
    func farClock() throws {
        let far = ScriptStep<HTTP.Request>.status(
            403,
            headers: ["Date": "Fri, 31 Dec 9999 23:59:59 GMT"]
        )
        let run = try run([far, .status(200)], [.get(orders), .get(orders)])

        expectEqual(run.statuses, [403, 200])
        expectEqual(run.created, [0, 0])
    }

    private func refusal(_ status: HTTP.Status, ahead seconds: Double) -> ScriptStep<HTTP.Request> {
        .status(
            status,
            headers: ["Date": HTTP.text(for: date.addingTimeInterval(seconds))]
        )
    }

    @Test("sign again by the server's clock, and the next request right away")
    func learns() throws {
        let run = try self.run(
            [refusal(401, ahead: 600), .status(200), .status(200)],
            [.get(orders), .get(orders)]
        )

        expectEqual(run.statuses, [200, 200])
        expectEqual(run.created, [0, 600, 600])
        expectEqual(run.events.filter { $0 == .clockSkewLearned }.count, 1)
    }

    @Test("send a request again only once")
    func once() throws {
        let run = try self.run([refusal(403, ahead: -600), refusal(403, ahead: 600)])

        expectEqual(run.statuses, [403])
        expectEqual(run.created, [0, -600])
    }

    @Test("return a refusal of a signature made by the server's clock")
    func rightClock() throws {
        let run = try self.run(
            [refusal(401, ahead: 600), .status(200), refusal(401, ahead: 600), .status(200)],
            [.get(orders), .get(orders)]
        )

        expectEqual(run.statuses, [200, 401])
        expectEqual(run.created, [0, 600, 600])
    }

    @Test("remember 64 clocks at most, and learn a forgotten one again")
    func bound() throws {
        let hosts = (0..<70).map { HTTP.Request.get("https://h\($0).example/") }
        let ahead = refusal(401, ahead: 600)
        let replies = hosts.flatMap { _ in [ahead, .status(200)] }
        // Code that is remembered is not refused, so that what is left over tells how many were.
        let again = Array(repeating: refusal(401, ahead: 600), count: 70)

        let run = try self.run(replies + again + again, hosts + hosts)

        let learned = run.events.filter { $0 == .clockSkewLearned }.count
        expectTrue(learned > 70)
        expectTrue(learned <= 140)
    }

    @Test("return refusals for other reasons")
    func otherReasons() throws {
        let cached = ScriptStep<HTTP.Request>.status(
            401,
            headers: ["Date": HTTP.text(for: date.addingTimeInterval(-600)), "Age": "600"]
        )

        for reply in [
            refusal(401, ahead: 29), refusal(404, ahead: 600), cached, .status(401),
            .status(401, headers: ["Date": "soon"]),
        ] {
            try expectEqual(run([reply]).created, [0])
        }
        try expectEqual(run([refusal(401, ahead: 30), .status(200)]).created, [0, 30])
        try expectEqual(run([refusal(401, ahead: 600)], learnsClockSkew: false).created, [0])
    }

    @Test("keep another origin's clock apart")
    func origins() throws {
        let run = try self.run(
            [refusal(401, ahead: 600), .status(200), .status(200)],
            [.get(orders), .get("https://other.example/")]
        )

        expectEqual(run.created, [0, 600, 0])
    }

    @Test("don't send a one-shot body again")
    func oneShot() throws {
        let run = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request>(
                replies: [refusal(401, ahead: 600), .status(200)]
            )
            let scheme = HMACScheme(coversBody: false)
            let keys = FixedSigningKeys([SigningKey(id: "app-1", secret: "s3cret".utf8)])
            let client = try simulation.client(transport) {
                SignInterceptor(RequestSigner(scheme, keys: keys))
            }
            let body = HTTP.Body.oneShot(AsyncStream<Data> { $0.finish() })
            return try await client.send(.put(orders, body: body)).status.code
        }

        expectEqual(run, 401)
    }
}
