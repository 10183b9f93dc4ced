import Expectations
import InterceptorKit
import InterceptorKitTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct ScriptedTransportSentTests {
    private struct Chunks: AsyncSequence, AsyncIteratorProtocol, Sendable {
        var rest = ["ab", "cd"]
        func makeAsyncIterator() -> Chunks { self }
        mutating func next() async throws -> Data? {
            rest.isEmpty ? nil : Data(rest.removeFirst().utf8)
        }
    }

    private func send(
        _ body: HTTP.Body,
        over transport: ScriptedTransport<HTTP.Request>
    ) throws {
        try Simulation.run { simulation in
            let request = HTTP.Request.post(
                "https://a.example/o?b=2&a=1",
                headers: ["x-b": "1", "X-A": "2", "x-b": "3"],
                body: body
            )
            _ = try await transport.send(request, call: Call(runtime: simulation.runtime))
        }
    }

    @Test("records line, fields in order and body bytes as they were sent")
    func byteForByte() throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200)])

        try send(.bytes([0, 1, 255]), over: transport)

        let sent = try unwrap(transport.sent.first)
        expectEqual(sent.line, "POST /o?b=2&a=1")
        expectEqual(sent.fields, ["x-b: 1", "X-A: 2", "x-b: 3"])
        expectEqual(sent.body.bytes, Data([0, 1, 255]))
    }

    @Test("collects a replayable stream and leaves it unread for the reply")
    func replayable() throws {
        let read = Recorded<String>()
        let transport = ScriptedTransport<HTTP.Request> { request, _ in
            read.note(String(decoding: try await request.body.collect(), as: UTF8.self))
            return HTTP.Response(200)
        }

        try send(.replayable { Chunks() }, over: transport)

        expectEqual(transport.sent.first?.body.text, "abcd")
        expectEqual(read.values, ["abcd"])
    }

    @Test("marks a one-shot body as such and leaves it unread for the reply")
    func oneShot() throws {
        let read = Recorded<String>()
        let transport = ScriptedTransport<HTTP.Request> { request, _ in
            read.note(String(decoding: try await request.body.collect(), as: UTF8.self))
            return HTTP.Response(200)
        }

        try send(.oneShot(length: 4, Chunks()), over: transport)

        expectEqual(transport.sent.first?.body, .unread("one-shot stream, 4 bytes"))
        expectEqual(read.values, ["abcd"])
    }

    @Test("reads a one-shot body when asked to, and the reply sees its bytes")
    func readingOneShot() throws {
        let read = Recorded<String>()
        let transport = ScriptedTransport<HTTP.Request> { request, _ in
            read.note(String(decoding: try await request.body.collect(), as: UTF8.self))
            return HTTP.Response(200)
        }.reading(oneShotBodies: true)

        try send(.oneShot(Chunks()), over: transport)

        expectEqual(transport.sent.first?.body.text, "abcd")
        expectEqual(read.values, ["abcd"])
    }

    @Test("records that a file cannot be read, and does not fail the send")
    func unreadable() throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200)])

        try send(.file("/no/such/file"), over: transport)

        expectEqual(transport.sent.first?.body.bytes, nil)
    }
}
