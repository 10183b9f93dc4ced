import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

@testable import InterceptorKitStreaming

@Suite("ServerSentEvent encoding")
struct ServerSentEventEncodingTests {
    /// What a client makes of bytes that come in chunks of a size.
    private func parsed(
        _ bytes: Data,
        chunk size: Int = 7
    ) throws -> (events: [HTTP.ServerSentEvent], comments: [String]) {
        var parser = EventParser(limit: 1 << 20)
        var events: [HTTP.ServerSentEvent] = []
        var comments: [String] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            parser.append(bytes[start..<min(start + size, bytes.count)])
            while let item = try parser.next() {
                switch item {
                case .event(let event, _): events.append(event)
                case .comment(let text): comments.append(text)
                }
            }
        }
        return (events, comments)
    }

    private func text(_ event: HTTP.ServerSentEvent) throws -> String {
        String(decoding: try event.encoded(), as: UTF8.self)
    }

    @Test("writes id, type and wait, then a line for each line of data")
    func fields() throws {
        let full = HTTP.ServerSentEvent(
            data: "a\r\nb\rc\n\n",
            type: "price",
            id: "7",
            retry: .milliseconds(1500)
        )

        try expectEqual(
            text(full),
            "id: 7\nevent: price\nretry: 1500\ndata: a\ndata: b\ndata: c\ndata:\ndata:\n\n"
        )
        try expectEqual(text(HTTP.ServerSentEvent(data: "")), "data:\n\n")
        try expectEqual(text(HTTP.ServerSentEvent(data: " x", type: "")), "data:  x\n\n")
        try expectEqual(text(HTTP.ServerSentEvent(data: "x", id: "")), "id:\ndata: x\n\n")
    }

    @Test("writes an event as the documentation shows it")
    func documented() throws {
        let event = HTTP.ServerSentEvent(data: "3.90", type: "price", id: "7")
        let bytes = try event.encoded()  // id: 7, event: price, data: 3.90, and an empty line

        expectEqual(bytes, Data("id: 7\nevent: price\ndata: 3.90\n\n".utf8))
    }

    @Test(
        "rounds the wait up to milliseconds, and bounds it",
        arguments: [
            (Duration.zero, "0"), (.microseconds(1), "1"), (.microseconds(1001), "2"),
            (.seconds(3), "3000"), (.seconds(Int64.max), "3153600000000"),
        ]
    )
    func retry(wait: Duration, expected: String) throws {
        let event = HTTP.ServerSentEvent(data: "", retry: wait)

        try expectEqual(text(event), "retry: \(expected)\ndata:\n\n")
    }

    @Test(
        "refuses values that would become other fields",
        arguments: [
            HTTP.ServerSentEvent(data: "x", id: "1\ndata: y"),
            HTTP.ServerSentEvent(data: "x", id: "1\r"),
            HTTP.ServerSentEvent(data: "x", id: "1\r\n2"),
            HTTP.ServerSentEvent(data: "x", id: "\0"),
            HTTP.ServerSentEvent(data: "x", type: "a\nid: 9"),
            HTTP.ServerSentEvent(data: "x", type: "a\rb"),
            HTTP.ServerSentEvent(data: "x", retry: .milliseconds(-1)),
        ]
    )
    func injection(event: HTTP.ServerSentEvent) throws {
        let error = #expect(throws: HTTP.StreamingError.self) { try event.encoded() }

        expectEqual(error?.code, .invalidEvent)
        expectEqual(error?.event, event)
        expectEqual(error?.message.contains("data: y"), false)
    }

    @Test("writes comments that no text can end")
    func comment() throws {
        let beat = HTTP.ServerSentEvent.comment()
        let text = HTTP.ServerSentEvent.comment("a\ndata: b\r\n\rc")
        let event = try HTTP.ServerSentEvent(data: "x").encoded()
        let found = try parsed(beat + text + event)

        expectEqual(beat, Data(":\n\n".utf8))
        expectEqual(found.events.map(\.data), ["x"])
        expectEqual(found.comments, ["", " a", " data: b", "", " c"])
    }

    @Test("gives parsers the same events back")
    func roundTrip() async throws {
        let parts = [
            "", "a", " ", ":", "data: ", "\n", "\r", "\r\n", "\u{FEFF}", "€", "👩‍👩‍👧", "\0", "id:1",
        ]
        for seed in 0..<(10 * seedCount) {
            var generator = SeededGenerator(seed: seed)
            func make(_ allowed: [String]) -> String {
                (0..<Int.random(in: 0...5, using: &generator))
                    .map { _ in allowed.randomElement(using: &generator) ?? "" }.joined()
            }
            let flat = parts.filter { !$0.utf8.contains(0x0A) && !$0.utf8.contains(0x0D) }
            let sent = (0..<3).map { number in
                HTTP.ServerSentEvent(
                    data: make(parts),
                    type: make(flat),
                    id: "\(number)" + make(flat.filter { $0 != "\0" }),
                    retry: Bool.random(using: &generator)
                        ? .milliseconds(Int.random(in: 0...9999, using: &generator)) : nil
                )
            }
            let bytes = try sent.reduce(into: Data()) { $0.append(try $1.encoded()) }
            let size = Int.random(in: 1...20, using: &generator)
            let found = try parsed(bytes, chunk: size).events

            expectEqual(found.map(\.fields), sent.map(\.fields), "seed \(seed)")
        }
    }
}

extension HTTP.ServerSentEvent {
    /// What a client is to get, by bytes, since strings are equal that are written differently.
    fileprivate var fields: [[UInt8]] {
        var lines: [UInt8] = []
        var previous: UInt8 = 0
        for byte in data.utf8 {
            let endsPair = previous == 0x0D && byte == 0x0A
            if !endsPair { lines.append(byte == 0x0D ? 0x0A : byte) }
            previous = byte
        }
        let type = type.isEmpty ? "message" : type
        return [lines, Array(type.utf8), Array((id ?? "-").utf8), Array("\(retry as Any)".utf8)]
    }
}
