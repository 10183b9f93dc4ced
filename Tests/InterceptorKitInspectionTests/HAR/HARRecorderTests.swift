import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitInspection
import InterceptorKitTesting
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("HARRecorder")
struct HARRecorderTests {
    private static func client(
        _ recorder: HARRecorder,
        _ transport: some Transport<HTTP.Request>
    ) throws -> HTTP.Client {
        try HTTP.Client(transport: transport, timeout: nil) { recorder }
    }

    @Test("keeps request and response once the body was read, without secrets")
    func entry() async throws {
        let recorder = HARRecorder(bodyLimit: 2000)
        let client = try Self.client(
            recorder,
            CannedTransport {
                HTTP.Response(
                    200,
                    headers: ["Content-Type": "application/json"],
                    body: .oneShot(Chunk(#"{"token":"abc","n":1}"#))
                )
            }
        )

        let response = try await client.send(
            HTTP.Request(.get, orders, query: ["token": "abc"], headers: ["Cookie": "a=abc"])
        )
        let before = recorder.archive.log.entries.count
        _ = try await response.body.collect()
        let entry = try unwrap(recorder.archive.log.entries.first)

        expectEqual(before, 0)
        expectEqual(entry.request.url, "https://api.example.com/orders?token=██")
        expectEqual(entry.request.headers.map(\.value), ["██"])
        expectEqual(entry.response.status, 200)
        expectEqual(entry.response.content.text, #"{"token":"██","n":1}"#)
    }

    @Test("keeps the events of an exchange where it is the event sink too")
    func events() throws {
        let recorder = HARRecorder()
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(503), .status(200)])
        try Simulation.run { simulation in
            let client = try HTTP.Client(
                transport: transport,
                runtime: simulation.runtime,
                events: recorder
            ) {
                RetryInterceptor(policy: .standard)
                recorder
            }
            _ = try await client.send(.get(orders)).body.collect()
        }

        let entries = recorder.archive.log.entries
        let second = try unwrap(entries.last?.events)
        expectEqual(entries.map(\.response.status), [503, 200])
        expectTrue(second.contains { $0.name == "stage.left" && $0.attempt == 2 })
        expectTrue(second.allSatisfy { $0.offset >= 0 && $0.name != "retry.scheduled" })
    }

    @Test("keeps no body by default")
    func withoutBodies() async throws {
        let recorder = HARRecorder()
        let client = try Self.client(
            recorder,
            CannedTransport { HTTP.Response(200, body: .oneShot(Chunk("harmless"))) }
        )
        let request = HTTP.Request(.post, orders, body: .bytes(Array("harmless".utf8)))

        _ = try await client.send(request).body.collect()

        let entry = try unwrap(recorder.archive.log.entries.first)
        let archive = String(decoding: try recorder.archive.json(), as: UTF8.self)
        expectTrue(!archive.contains("harmless"))
        expectEqual(entry.request.bodySize, 8)
        expectEqual(entry.response.content.comment?.contains("without a limit"), true)
    }

    @Test("starts over when it is cleared")
    func emptied() async throws {
        let recorder = HARRecorder()
        let client = try Self.client(recorder, CannedTransport(204))
        _ = try await client.send(.get(orders))
        let before = recorder.archive.log.entries.count

        recorder.removeAll()
        let between = recorder.archive.log.entries.count
        _ = try await client.send(.get(orders))

        expectEqual([before, between, recorder.archive.log.entries.count], [1, 0, 1])
    }

    @Test("keeps failures, without the secrets in their texts")
    func failures() async throws {
        let recorder = HARRecorder()
        let client = try Self.client(
            recorder,
            CannedTransport { throw TransportError(.connectionLost, "https://u:p@h/ went away.") }
        )

        _ = try? await client.send(.get(orders))

        let failure = try unwrap(recorder.archive.log.entries.first?.response.failure)
        expectEqual(failure.code, "connectionLost")
        expectEqual(failure.message, "https://██@h/ went away.")
    }

    @Test("says why a body that is unread or too large is missing")
    func missing() async throws {
        let recorder = HARRecorder(bodyLimit: 2000)
        let client = try Self.client(
            recorder,
            CannedTransport { HTTP.Response(200, body: .oneShot(CountingStream(chunks: 3))) }
        )

        _ = try await client.send(.get(orders)).body.collect()
        _ = try await client.send(.get(orders))

        let comments = recorder.archive.log.entries.map(\.response.content.comment)
        expectEqual(comments[0]?.contains("more than the 2000 bytes that are kept"), true)
        expectEqual(comments[1]?.contains("its reader left after 0 bytes"), true)
    }

    @Test("keeps the read part of a broken body, and no request body too large")
    func parts() async throws {
        let recorder = HARRecorder(bodyLimit: 10)
        let client = try Self.client(
            recorder,
            CannedTransport { HTTP.Response(200, body: .oneShot(Chunk("begun", failing: true))) }
        )
        let request = HTTP.Request(.post, orders, body: .bytes(Array("0123456789a".utf8)))

        _ = try? await client.send(request).body.collect()

        let entry = try unwrap(recorder.archive.log.entries.first)
        expectEqual(entry.response.content.text, "begun")
        expectEqual(entry.response.failure?.code, "connectionLost")
        expectEqual(entry.request.postData?.text, nil)
    }

    @Test("evicts the oldest exchanges above its limit")
    func bound() async throws {
        let recorder = HARRecorder(limit: 3)
        let client = try Self.client(recorder, CannedTransport(200))

        for number in 0..<10 { _ = try await client.send(.get("https://h/\(number)")) }

        expectEqual(
            recorder.archive.log.entries.map(\.request.url),
            [
                "https://h/7", "https://h/8", "https://h/9",
            ]
        )
    }

    @Test("writes a file that is read back the same")
    func file() async throws {
        let recorder = HARRecorder()
        let path =
            FileManager.default.temporaryDirectory.path
            + "/recorder-\(UInt64.random(in: 0...UInt64.max)).har"
        defer { try? FileManager.default.removeItem(atPath: path) }
        _ = try await Self.client(recorder, CannedTransport(200)).send(.get(orders))

        try recorder.write(to: path)

        let data = try unwrap(FileManager.default.contents(atPath: path))
        try expectEqual(HAR(json: data), recorder.archive)
    }
}

private final class Chunk: HTTP.BodyStream {
    private let text: Lock<String?>
    private let failing: Bool

    init(_ text: String, failing: Bool = false) {
        self.text = Lock(text)
        self.failing = failing
    }

    func next() async throws -> Data? {
        let text = text.withLock { $0.take() }
        if text == nil, failing { throw TransportError(.connectionLost, "It broke.") }
        return text.map { Data($0.utf8) }
    }

    func cancel() {}
}
