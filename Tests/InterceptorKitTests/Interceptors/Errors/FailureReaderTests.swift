import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

/// What bodies can do to those who look at them.
@Suite("FailureReader, given hostile bodies")
struct FailureReaderTests {
    private static let json: HTTP.Headers = ["Content-Type": "application/json"]
    private let filter = ErrorFilterInterceptor(envelope: HTTP.ResponseEnvelope())

    /// What happened to a response, and how long that took.
    private func send(
        _ status: HTTP.Status,
        through filter: ErrorFilterInterceptor,
        timeout: Duration? = nil,
        _ body: @escaping @Sendable (Runtime) -> HTTP.Body
    ) throws -> (result: Result<String, any Error>, elapsed: Duration) {
        try Simulation.run { simulation in
            let runtime = simulation.runtime
            let transport = ScriptedTransport<HTTP.Request>(
                replies: [.status(status, headers: Self.json, body: body(runtime))]
            )
            let client = try simulation.client(transport, timeout: timeout) { filter }
            let started = runtime.now
            let result: Result<String, any Error>
            do {
                let response = try await client.send(.get(orders))
                let elapsed = started.duration(to: runtime.now)
                return (.success(try await response.text(repairing: true)), elapsed)
            } catch {
                result = .failure(error)
            }
            return (result, started.duration(to: runtime.now))
        }
    }

    @Test("keeps the first 64 KiB of a gigabyte, and reads little more")
    func gigabyte() throws {
        let stream = CountingStream(chunks: 1 << 20)

        let (result, _) = try send(500, through: filter) { _ in .oneShot(stream) }

        let error = #expect(throws: ResponseError.self) { try result.get() }
        expectTrue(error?.body.count == 64 << 10)
        expectTrue(stream.read <= 70)
        expectTrue(stream.cancels >= 1)
    }

    @Test("judges a success beyond the limit by its status, and passes it whole")
    func longSuccess() throws {
        let known = CountingStream(chunks: 100)
        let unknown = CountingStream(chunks: 100)

        let (first, _) = try send(200, through: filter) { _ in
            .oneShot(length: 100 << 10, known)
        }
        let (second, _) = try send(200, through: filter) { _ in .oneShot(unknown) }

        try expectTrue(first.get().utf8.count == 100 << 10)
        try expectTrue(second.get().utf8.count == 100 << 10)
    }

    @Test("doesn't wait for an endless slow body")
    func trickle() throws {
        let (result, elapsed) = try send(500, through: filter) { runtime in
            .oneShot(DrippingStream(runtime, "ab"))
        }

        let error = #expect(throws: ResponseError.self) { try result.get() }
        expectEqual(error?.status, 500)
        expectEqual(error.map { 18...20 ~= $0.body.count }, true)
        expectTrue(elapsed <= .seconds(11))
    }

    @Test("waits no longer than its body timeout, nor than the call's deadline")
    func shorter() throws {
        let hasty = ErrorFilterInterceptor(bodyTimeout: .seconds(3))

        let (_, said) = try send(500, through: hasty) { .oneShot(DrippingStream($0)) }
        let (result, left) = try send(500, through: filter, timeout: .seconds(2)) {
            .oneShot(DrippingStream($0))
        }

        expectTrue(said >= .seconds(3))
        expectTrue(said < .seconds(4))
        expectTrue(left < .seconds(3))
        #expect(throws: ResponseError.self) { try result.get() }
    }

    @Test("reports an envelope that doesn't arrive in time as a timeout")
    func lateEnvelope() throws {
        let streams = Recorder<DrippingStream>()
        let (result, _) = try send(200, through: filter) { runtime in
            let stream = DrippingStream(runtime)
            streams.note(stream)
            return .oneShot(stream)
        }

        let error = #expect(throws: TransportError.self) { try result.get() }
        expectEqual(error?.code, .timedOut)
        expectEqual(streams.entries.map(\.cancels), [1])
    }

    @Test("reports an interrupted envelope's cause, and a failure with its part")
    func broken() throws {
        let lost = TransportError(.connectionLost, "The connection was lost.")
        @Sendable func body(_ runtime: Runtime) -> HTTP.Body {
            .oneShot(DrippingStream(runtime, #"{"code":"#, breaking: (1, lost)))
        }

        let (accepted, _) = try send(200, through: filter, body)
        let (failed, _) = try send(500, through: filter, body)

        let error = #expect(throws: TransportError.self) { try accepted.get() }
        expectEqual(error?.code, .connectionLost)
        let response = #expect(throws: ResponseError.self) { try failed.get() }
        expectEqual(response?.code, .status)
        expectEqual(response.map { String(decoding: $0.body, as: UTF8.self) }, #"{"code":"#)
    }

    @Test("reports an unknown body failure as a lost connection, with its cause")
    func unknownFailure() throws {
        let (result, _) = try send(200, through: filter) { runtime in
            .oneShot(DrippingStream(runtime, breaking: (1, Problem(text: "engine"))))
        }

        let error = #expect(throws: TransportError.self) { try result.get() }
        expectEqual(error?.code, .connectionLost)
        expectEqual(error?.cause as? Problem, Problem(text: "engine"))
    }

    @Test(
        "judges undecodable or truncated JSON by its status",
        arguments: [
            [0x7B, 0x22, 0xE9, 0x22, 0x3A, 0x31, 0x7D], [0xFF, 0xFD, 0xFD],
            [0x1F, 0x8B, 0x08, 0x00],
            Array(#"{"code":10"#.utf8), Array(#"{"code":1001,"message":"#.utf8), [0x00],
        ] as [[UInt8]]
    )
    func unreadable(bytes: [UInt8]) throws {
        let (accepted, _) = try send(200, through: filter) { _ in .bytes(bytes) }
        let (failed, _) = try send(500, through: filter) { _ in .bytes(bytes) }

        try expectEqual(accepted.get(), String(decoding: bytes, as: UTF8.self))
        let error = #expect(throws: ResponseError.self) { try failed.get() }
        expectEqual(error?.code, .status)
        expectEqual(error?.body, Data(bytes))
        expectEqual(error?.serviceMessage, nil)
    }

    @Test("judges endlessly nested JSON by its status")
    func nested() throws {
        let text = String(repeating: "[", count: 60_000)

        let (result, _) = try send(200, through: filter) { _ in .text(text) }

        try expectEqual(result.get(), text)
    }

    @Test("ends as cancelled while it waits for a body")
    func cancelled() throws {
        let filter = filter
        try Simulation.run { simulation in
            let runtime = simulation.runtime
            let transport = ScriptedTransport<HTTP.Request>(
                replies: [.status(500, body: .oneShot(DrippingStream(runtime)))]
            )
            let client = try simulation.client(transport) { filter }

            await withTaskGroup { group in
                group.addTask {
                    await #expect(throws: CancellationError.self) {
                        try await client.send(.get(orders))
                    }
                }
                try? await runtime.sleep(for: .seconds(2))
                group.cancelAll()
            }
        }
    }
}
