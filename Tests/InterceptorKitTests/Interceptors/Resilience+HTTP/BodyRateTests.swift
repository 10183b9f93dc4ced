import Expectations
import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransfers
import TestSupport
import Testing

@Suite("The minimum rate of bodies")
struct BodyRateTests {
    /// How long a byte in a second lasts.
    private static let drip: Duration = .seconds(20) + .seconds(1) / 240 * 20

    private static func transport(
        _ stream: PausingStream,
        _ headers: HTTP.Headers = [:]
    ) -> ScriptedTransport<HTTP.Request> {
        ScriptedTransport(replies: [.status(200, headers: headers, body: .oneShot(stream))])
    }

    private static func error(_ response: HTTP.Response) async throws -> TimeoutError {
        try await #require(throws: TimeoutError.self) { try await response.text() }
    }

    @Test("ends a dripping body at a computed instant in a standard client")
    func drips() async throws {
        try await onEverySeed { simulation in
            let stream = PausingStream(1, every: .seconds(1), times: 3600, simulation.runtime)
            let sink = RecordingEventSink()
            let client = try HTTP.Client.standard(
                transport: Self.transport(stream),
                bodyTimeout: BodyTimeoutInterceptor(),
                runtime: simulation.runtime,
                events: sink
            )

            let error = try await Self.error(try await client.send(.get(orders)))

            try requireEqual(simulation.now.offset, Self.drip)
            try requireEqual(error.code, .bodyRate)
            try requireEqual(error.classification.kind, .permanent)
            try require(
                "\(error)".hasPrefix(
                    "The body from https://api.example.com arrived at less than 240 bytes a second for 20 s "
                        + "(BodyTimeoutInterceptor), so"
                )
            )
            try require(!stream.cancels.entries.isEmpty)
            let event = sink.events.first { $0.name == .timedOut }
            try requireEqual(event?.attributes["code"], .text("bodyRate"))
            try requireEqual(client.openBodies, 0)
        }
    }

    @Test(
        "doesn't apply to endless streams, which only an idle time ends",
        arguments: ["text/event-stream; charset=utf-8", "multipart/x-mixed-replace; boundary=b"]
    )
    func endless(type: String) async throws {
        try await onEverySeed(0..<50) { simulation in
            let pauses = Array(repeating: Duration.seconds(15), count: 100) + [.seconds(600)]
            let stream = PausingStream(pauses, simulation.runtime)
            let client = try simulation.client(Self.transport(stream, ["Content-Type": type])) {
                BodyTimeoutInterceptor(total: .seconds(60))
            }

            let error = try await Self.error(try await client.send(.get(orders)))

            try requireEqual(error.code, .bodyIdle)
            try requireEqual(simulation.now.offset, .seconds(1520))
        }
    }

    @Test("doesn't apply to a download")
    func download() async throws {
        let folder = try Folder()
        try await onEverySeed(0..<20) { simulation in
            let stream = PausingStream(1, every: .seconds(15), times: 100, simulation.runtime)
            let client = try HTTP.Client.standard(
                transport: Self.transport(stream),
                bodyTimeout: BodyTimeoutInterceptor(total: .seconds(60)),
                runtime: simulation.runtime
            )

            let file = try await client.download(.get(orders), to: folder["file"])

            try requireEqual(file.byteCount, 100)
            try requireEqual(simulation.now.offset, .seconds(1500))
        }
    }

    @Test("can be set for one call, and is off for it at 0")
    func ofOneCall() async throws {
        try await onEverySeed(0..<50) { simulation in
            func client() throws -> HTTP.Client {
                let stream = PausingStream(1, every: .seconds(1), times: 100, simulation.runtime)
                return try simulation.client(
                    Self.transport(stream, ["Content-Type": "text/event-stream"])
                ) {
                    BodyTimeoutInterceptor()
                }
            }
            let none = try await client().send(.get(orders)) { $0.minimumBodyRate = 0 }
            let text = try await none.text()
            let own = try await client().send(.get(orders)) { $0.minimumBodyRate = 3 }
            let error = try await Self.error(own)

            try requireEqual(text.utf8.count, 100)
            try requireEqual(error.minimumRate, 3)
            try requireEqual(
                simulation.now.offset,
                Duration.seconds(120) + Duration.seconds(1) / 3 * 29
            )
        }
    }

    @Test("doesn't apply to a response without a body")
    func nothing() async throws {
        try await onEverySeed(0..<50) { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(200, headers: ["Content-Length": "9"]),
                .status(200, body: .oneShot(PausingStream([Duration](), simulation.runtime))),
                .status(204),
            ])
            let client = try HTTP.Client.standard(transport: transport, runtime: simulation.runtime)

            let texts = [
                try await client.send(.head(orders)).text(),
                try await client.send(.get(orders)).text(),
                try await client.send(.delete(orders)).text(),
            ]

            try requireEqual(texts, ["", "", ""])
            try requireEqual(simulation.now.offset, .zero)
        }
    }

    @Test(
        "causes no retry, nor does an idle body",
        arguments: [Duration.seconds(1), .seconds(600)]
    )
    func retries(pause: Duration) async throws {
        try await onEverySeed(0..<50) { simulation in
            let stream = PausingStream(1, every: pause, times: 3600, simulation.runtime)
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(503), .status(200, body: .oneShot(stream)), .status(200),
            ])
            let client = try simulation.client(transport) {
                RetryInterceptor(policy: .steady)
                AnyInterceptor<HTTP.Request>("reads") { chain in
                    var response = try await chain.proceed()
                    response.body = .bytes(try await response.body.collect())
                    return response
                }
                BodyTimeoutInterceptor()
            }

            let error = await #expect(throws: TimeoutError.self) {
                try await client.send(.get(orders))
            }

            try requireEqual(error?.code, (pause == .seconds(1) ? .bodyRate : .bodyIdle))
            try requireEqual(transport.sent.count, 2)
        }
    }
}
