import Expectations
import Foundation
import InterceptorKit
import TestRun
import TestSupport
import Testing

@testable import InterceptorKitStreaming

@Suite("EventParser")
struct EventParserTests {
    @Test("reads random streams as a second reading of the standard does")
    func random() async throws {
        let (problems, events) = try await besideOtherTests {
            let cases = (0..<seedCount).map { EventStreamReading.randomCase(seed: $0) }
            return (cases.compactMap(\.problemAtAnySplit), cases.flatMap(\.events))
        }

        expectEqual(problems, [])
        // Streams of noise alone would be alike without an event.
        expectTrue(events.count >= Int(seedCount))
        expectTrue(events.contains { !$0.id.isEmpty } && events.contains { $0.type != "message" })
    }

    @Test("reads events as contract tests say", arguments: EventStreamCase.contract)
    func contract(row: EventStreamCase) {
        expectEqual(row.problem(with: row.pieces), nil)
    }

    @Test("takes an empty chunk for nothing, also between CR and LF")
    func emptyChunks() throws {
        var parser = EventParser(limit: 100)
        var data: [String] = []

        for chunk in ["data: a\r", "", "\n", "", "data: b\r\n", "\r", "", "\ndata: c\n", "", "\n"] {
            parser.append(Data(chunk.utf8))
            while case .event(let event, _)? = try parser.next() { data.append(event.data) }
        }

        expectEqual(data, ["a\nb", "c"])
    }

    @Test(
        "gives out data that fills the limit, and refuses a byte more",
        arguments: [("data: 12345", "data: 123456"), ("data:12\ndata: 34", "data:12\ndata: 345")]
    )
    func limit(filling: String, over: String) throws {
        let events = try data(of: filling + "\n\n", limit: 5)

        expectTrue(events.count == 1 && events.first?.utf8.count == 5)
        #expect(throws: HTTP.StreamingError.self) { try data(of: over + "\n\n", limit: 5) }
    }

    @Test("forgets what one event said when the next begins")
    func clear() throws {
        let text = "event: a\nretry: 5\ndata: 1\n\ndata: 2\n\nevent: b\n\ndata: 3\n\n"
        var parser = EventParser(limit: 100)
        parser.append(Data(text.utf8))
        var events: [HTTP.ServerSentEvent] = []
        while case .event(let event, _)? = try parser.next() { events.append(event) }

        expectEqual(events.map(\.type), ["a", "message", "message"])
        expectEqual(events.map(\.retry), [.milliseconds(5), nil, nil])
        expectEqual(parser.retry, .milliseconds(5))
    }

    @Test(
        "takes digits alone for a retry, and no more than a century",
        arguments: [
            ("0", .zero), ("007", .milliseconds(7)), ("", nil), ("-5", nil), ("+5", nil),
            ("5 ", nil),
            ("1_000", nil), ("1e3", nil), ("٣", nil),
            ("99999999999999999999", .seconds(100 * 365 * 86_400)),
        ] as [(String, Duration?)]
    )
    func retry(value: String, expected: Duration?) throws {
        var parser = EventParser(limit: 100)
        parser.append(Data("retry: \(value)\n\n".utf8))

        if case .some = try parser.next() { Issue.record("An event without data.") }
        expectEqual(parser.retry, expected)
    }

    private func data(of text: String, limit: Int) throws -> [String] {
        var parser = EventParser(limit: limit)
        parser.append(Data(text.utf8))
        var data: [String] = []
        while case .event(let event, _)? = try parser.next() { data.append(event.data) }
        return data
    }
}
