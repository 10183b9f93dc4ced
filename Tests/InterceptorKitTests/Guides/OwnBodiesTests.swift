import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Interceptors of a third party")
struct OwnBodiesTests {
    private typealias Kept = Recorder<String>

    private func send(
        _ body: HTTP.Body,
        through kept: Kept,
        with others: [any Interceptor<HTTP.Request>] = []
    ) async throws -> HTTP.Response {
        let keeping = KeepingInterceptor {
            kept.note("\($0.path) \(String(decoding: $1, as: UTF8.self))")
        }
        let pipeline = try Pipeline(
            [keeping] + others,
            transport: AnsweringTransport { _, _ in HTTP.Response(body: body) }
        )
        return try await pipeline.run(.get("https://a.test/x"), call: pipeline.makeCall())
    }

    private static let bodies: [@Sendable () -> HTTP.Body] = [
        { "ab" },
        { .oneShot(length: 2, ScriptedStream(["a", "b"])) },
        { .replayable(length: 2) { ScriptedStream(["a", "b"]) } },
    ]

    @Test("copy a body of any kind while it is read", arguments: Self.bodies)
    func copies(body: @escaping @Sendable () -> HTTP.Body) async throws {
        let kept = Kept()

        let response = try await send(body(), through: kept)
        #expect(kept.entries.isEmpty)
        let text = try await response.text()

        #expect(text == "ab")
        #expect(response.body.length == 2)
        #expect(response.body.isReplayable == body().isReplayable)
        #expect(kept.entries == ["/x ab"])
    }

    @Test("copy a body that can be read again at each reading")
    func copiesAgain() async throws {
        let kept = Kept()
        let response = try await send("ab", through: kept)

        _ = try await response.text()
        _ = try await response.text()

        #expect(kept.entries == ["/x ab", "/x ab"])
    }

    @Test("hear of a credential that was attached below, each on its own")
    func credentials() async throws {
        let (outer, inner) = (Kept(), Kept())
        let below = KeepingInterceptor { inner.note("\($0) \($1.count)") }
        let token = TokenInterceptor(
            source: FixedCredentialSource(.bearer("secret")),
            origins: ["https://a.test"]
        )

        _ = try await send("ab", through: outer, with: [below, token]).text()

        #expect(outer.entries.isEmpty)
        #expect(inner.entries.isEmpty)
    }

    @Test("end a body that takes too long, on the call's clock")
    func bodyDeadline() async throws {
        try await onEverySeed(0..<20) { simulation in
            let pipeline = try Pipeline(
                [BodyDeadlineInterceptor(limit: .seconds(3))],
                transport: AnsweringTransport { _, _ in
                    HTTP.Response(body: .oneShot(ScriptedStream(["a"], .silence)))
                },
                runtime: simulation.runtime
            )
            let response = try await pipeline.run(.get("https://a.test/x"))

            await #expect(throws: CancellationError.self) { try await response.text() }

            #expect(simulation.runtime.now.offset == .seconds(3))
        }
    }

    @Test("send a call of their own that outlasts its caller's")
    func detached() async throws {
        try await onEverySeed(0..<20) { simulation in
            let calls = Recorder<Call>()
            let runtime = simulation.runtime
            let pipeline = try Pipeline(
                [RepeatingInterceptor()],
                transport: AnsweringTransport { _, call in
                    calls.note(call)
                    return HTTP.Response()
                },
                runtime: runtime
            )
            var call = pipeline.makeCall().withDeadline(within: .seconds(1)).withAttempt(3)
            call[Mark.self] = "marked"

            _ = try await pipeline.run(.get("https://a.test/x"), call: call)
            try await runtime.sleep(for: .seconds(1))

            let sent = calls.entries
            try #require(sent.count == 2)
            #expect(sent[0].id == call.id)
            #expect(sent[1].id != call.id)
            #expect(sent.map(\.attempt) == [3, 1])
            #expect(sent[1].deadline == .init(offset: .seconds(5)))
            #expect(sent.map { $0[Mark.self] } == ["marked", "marked"])
        }
    }
}

private enum Mark: CallKey { static let defaultValue = "" }
