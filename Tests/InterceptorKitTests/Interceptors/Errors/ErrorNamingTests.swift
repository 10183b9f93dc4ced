import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

/// How errors get their names, and what those above a filter learn.
@Suite("ErrorFilterInterceptor, mapping errors")
struct ErrorNamingTests {
    private static let lost = TransportError(.connectionLost, "The connection was lost.")

    private func send<Value: Sendable>(
        _ steps: [ScriptStep<HTTP.Request>],
        through filters: [ErrorFilterInterceptor],
        events: (any EventSink)? = nil,
        _ read: @escaping @Sendable (HTTP.Response) async throws -> Value
    ) throws -> Value {
        try Simulation.run { simulation in
            let client = try simulation.client(ScriptedTransport(replies: steps), events: events) {
                filters
            }
            return try await read(try await client.send(.get(orders)))
        }
    }

    @Test("throws what the map returns unchanged, for every kind of failure")
    func neverWraps() throws {
        let failures: [ScriptStep<HTTP.Request>] = [
            .status(404), .status(503), .json(#"{"code":1}"#), .json("{", status: 400),
            .json("{}", status: 400, headers: ["Content-Type": "application/problem+json"]),
            .fail(Self.lost), .fail(Problem()), .fail(HTTP.RequestError(.invalidURL, "No.")),
            .fail(TimeoutError(.attempt, limit: .seconds(1))), .json(#"{"code":"x"}"#),
        ]
        for seed in 0..<100 as Range<UInt64> {
            var generator = SplitMix(state: seed)
            let step = failures[Int(generator.next() % UInt64(failures.count))]
            let mine = Problem(text: "\(generator.next())")
            let filter = ErrorFilterInterceptor(
                envelope: HTTP.ResponseEnvelope(),
                map: { _ in mine }
            )

            #expect(throws: mine) { try send([step], through: [filter]) { $0.status } }
        }
    }

    @Test("maps a decoding failure, and reports its path and reason")
    func decoding() throws {
        let sink = RecordingEventSink()
        let filter = ErrorFilterInterceptor(map: { error in
            Problem(text: (error as? HTTP.DecodingFailure)?.path ?? "other")
        })

        #expect(throws: Problem(text: "[0]")) {
            try send([.json(#"["s3cret"]"#)], through: [filter], events: sink) {
                try await $0.decode([Int].self)
            }
        }

        let event = sink.events.last { $0.name == .decodingFailed }
        expectEqual(
            event?.attributes,
            [
                "type": .text("[Int]"), "path": .text("[0]"), "reason": .text("mismatch"),
            ]
        )
        expectEqual(sink.names.last, .errorMapped)
        expectTrue(!sink.timeline.contains("s3cret"))
    }

    @Test("maps a lost body while decoding, the inner filter before the outer")
    func nested() throws {
        let inner = ErrorFilterInterceptor(map: { error in
            Problem(text: "inner \(error is TransportError)")
        })
        let outer = ErrorFilterInterceptor(map: { error in
            Problem(text: "outer, \((error as? Problem)?.text ?? "other")")
        })

        #expect(throws: Problem(text: "outer, inner true")) {
            try Simulation.run { simulation in
                let stream = DrippingStream(simulation.runtime, "[", breaking: (1, Self.lost))
                let transport = ScriptedTransport<HTTP.Request>(
                    replies: [.status(200, body: .oneShot(stream))]
                )
                let client = try simulation.client(transport) {
                    outer
                    inner
                }
                return try await client.send(.get(orders)).decode([Int].self)
            }
        }
    }

    @Test("marks a response that replaces a failure with the reason")
    func recovered() throws {
        let filter = ErrorFilterInterceptor(
            envelope: HTTP.ResponseEnvelope(),
            recover: { error, _ in
                error is Problem ? HTTP.Response(fallback: "mine") : HTTP.Response(200, body: "[7]")
            },
            map: { _ in Problem(text: "named") }
        )
        let steps: [ScriptStep<HTTP.Request>] = [
            .fail(Self.lost), .status(503), .json(#"{"code":7}"#), .fail(Problem()),
        ]

        let reasons = try steps.map { step in
            try send([step], through: [filter]) { $0.fallbackReason }
        }

        expectEqual(reasons, ["connectionLost", "503 Service Unavailable", "code 7", "mine"])
        #expect(throws: Problem(text: "named")) {
            try send([.status(500)], through: [filter]) { try await $0.decode([String].self) }
        }
    }

    @Test("maps the error that a recovery throws")
    func failingRecovery() throws {
        let filter = ErrorFilterInterceptor(
            recover: { _, _ in throw Problem(text: "no copy") },
            map: { ($0 as? Problem).map { Problem(text: "named: \($0.text)") } ?? $0 }
        )

        #expect(throws: Problem(text: "named: no copy")) {
            try send([.status(500)], through: [filter]) { $0.status }
        }
    }

    @Test("ends as cancelled when a recovery is cancelled, whatever it throws")
    func cancelledRecovery() throws {
        try Simulation.run { simulation in
            let runtime = simulation.runtime
            let client = try simulation.client(ScriptedTransport(replies: [.status(500)])) {
                ErrorFilterInterceptor(
                    recover: { _, _ in
                        try? await runtime.sleep(for: .seconds(3600))
                        throw Problem()
                    },
                    map: { _ in Problem() }
                )
            }
            await withTaskGroup { group in
                group.addTask {
                    await #expect(throws: CancellationError.self) {
                        try await client.send(.get(orders))
                    }
                }
                try? await runtime.sleep(for: .seconds(1))
                group.cancelAll()
            }
        }
    }
}

extension HTTP.Response {
    fileprivate init(fallback reason: String) {
        self.init(200, body: "[]")
        fallbackReason = reason
    }
}

private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        let mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        return mixed ^ (mixed >> 31)
    }
}
