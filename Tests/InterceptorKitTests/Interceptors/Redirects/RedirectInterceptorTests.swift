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

@Suite("RedirectInterceptor")
struct RedirectInterceptorTests {
    private func run(
        _ request: HTTP.Request,
        through transport: ScriptedTransport<HTTP.Request>,
        _ policy: RedirectPolicy = RedirectPolicy(),
        configure: (inout Call) -> Void = { _ in }
    ) async throws -> HTTP.Response {
        let pipeline = try Pipeline(transport: transport) { RedirectInterceptor(policy: policy) }
        var call = Call()
        configure(&call)
        return try await pipeline.run(request, call: call)
    }

    @Test("follows redirects to the end and reports them")
    func follows() async throws {
        let transport = web([
            "https://a.example/1": .redirect(301, to: "/2"),
            "https://a.example/2": .redirect(308, to: "https://b.example/3?x=1"),
        ])

        let response = try await run(.get("https://a.example/1"), through: transport)

        expectEqual(response.status, 200)
        expectEqual(response.request?.url, "https://b.example/3?x=1")
        expectEqual(response.redirects.map(\.number), [1, 2])
        expectEqual(response.redirects.map(\.status), [301, 308])
        expectEqual(response.redirects.map(\.changesOrigin), [false, true])
        expectEqual(response.redirects.last?.target, "https://b.example/3?x=1")
        expectEqual(
            response.redirects.last?.description,
            "308 Permanent Redirect from https://a.example to https://b.example"
        )
    }

    @Test("throws prepare's error, and refuses an invalid request it made")
    func preparedWrongly() async throws {
        let transport = web(["https://a.example/1": .redirect(302, to: "/2")])
        var failing = RedirectPolicy()
        failing.prepare = { _, _ in throw Problem() }
        var wrong = RedirectPolicy()
        wrong.prepare = { request, _ in request.headers["X"] = "a\nb" }
        var downgrading = RedirectPolicy()
        downgrading.prepare = { request, _ in request.url = "http://a.example/2" }

        await #expect(throws: Problem.self) {
            try await run(.get("https://a.example/1"), through: transport, failing)
        }
        let invalid = await #expect(throws: RedirectError.self) {
            try await run(.get("https://a.example/1"), through: transport, wrong)
        }
        let downgrade = await #expect(throws: RedirectError.self) {
            try await run(.get("https://a.example/1"), through: transport, downgrading)
        }

        expectEqual(invalid?.code, .invalidTarget)
        expectEqual(downgrade?.code, .downgrade)
        expectEqual(transport.sent.count, 3)
    }

    @Test("releases the bodies of redirect responses")
    func releases() async throws {
        let stream = CountingStream(chunks: 100)
        let transport = ScriptedTransport<HTTP.Request>(replies: [
            .status(302, headers: ["Location": "/2"], body: .oneShot(stream)), .status(200),
        ])
        let pipeline = try Pipeline(transport: transport) { RedirectInterceptor() }

        _ = try await pipeline.run(.get("https://a.example/1"))

        expectEqual(stream.read, 4)
        expectEqual(stream.cancels, 1)
    }

    @Test("sends nothing more once the call is cancelled")
    func cancellation() async throws {
        let transport = web(["https://a.example/1": .redirect(to: "/2")])
        let recorder = Recorder<String>()
        var policy = RedirectPolicy()
        policy.decide = { _ in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return .follow
        }
        let pipeline = try Pipeline(transport: transport) {
            RedirectInterceptor(policy: policy)
            Marker<HTTP.Request>("below", recorder)
        }

        let result = await Task { try await pipeline.run(.get("https://a.example/1")) }.result

        #expect(throws: CancellationError.self) { try result.get() }
        expectEqual(recorder.entries, ["below>", "<below"])
    }

    @Test("reports each hop without paths")
    func events() async throws {
        let transport = web([
            "https://a.example/1": .redirect(to: "https://b.example/2?token=s3cret"),
            "https://b.example/2?token=s3cret": .redirect(to: "http://b.example/s3cret"),
        ])
        let sink = RecordingEventSink()
        let pipeline = try Pipeline(transport: transport, events: sink) { RedirectInterceptor() }

        _ = try? await pipeline.run(.get("https://a.example/1"))

        let events = sink.events.filter { $0.source == "RedirectInterceptor" }
            .filter { $0.name.description.hasPrefix("redirect.") }
        expectEqual(events.map(\.name), [.redirectFollowed, .redirectStopped])
        expectEqual(
            events.first?.attributes,
            [
                "status": .number(302), "number": .number(1), "target": .text("https://b.example"),
                "origin.changes": .flag(true),
            ]
        )
        expectEqual(
            events.last?.attributes,
            ["status": .number(302), "reason": .text("downgrade")]
        )
    }

    @Test("restarts attempts on each hop, and passes on the redirects so far")
    func attempts() throws {
        let numbers = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(503), .status(302, headers: ["Location": "/2"]), .status(503), .status(200),
            ])
            let client = try simulation.client(transport) {
                RedirectInterceptor()
                RetryInterceptor(policy: .steady)
            }
            _ = try await client.send(.get("https://a.example/1"))
            return transport.sent.map { [$0.call.attempt, $0.call.redirects.count] }
        }

        expectEqual(numbers, [[1, 0], [2, 0], [1, 1], [2, 1]])
    }
}
