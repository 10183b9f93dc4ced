import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKit

@Suite("TerminalFrame")
struct TerminalFrameTests {
    /// Calls as events leave them, given by what happens in the last one.
    private static func frame(
        _ titles: [String],
        width: Int = 60,
        rows: Int = 10,
        _ change: @escaping @Sendable (Call) async throws -> Void = { _ in }
    ) async throws -> (lines: [String], summary: String) {
        try await onEverySeed(0..<1) { simulation in
            let sink = RecordingEventSink()
            for (offset, title) in titles.enumerated() {
                let call = Call(runtime: simulation.runtime, events: sink)
                let input: [String: Event.Value] = ["input": .text(title)]
                let (_, inner) = call.begin(.call, "call", from: "test", input)
                try await simulation.runtime.sleep(for: .seconds(1))
                if offset == titles.count - 1 { try await change(inner) }
            }
            var calls = CallsInFlight()
            for event in sink.events { calls.note(event) }
            let now = simulation.now
            let frame = TerminalFrame(calls: calls, now: now, width: width, rows: rows)
            return (frame.lines, frame.summary)
        }
    }

    @Test("has a line for each call, oldest first, and counts the rest")
    func rows() async throws {
        let lines = try await Self.frame(["GET /1", "GET /2", "GET /3"], width: 20, rows: 2).lines

        #expect(lines == ["GET /1         3.0 s", "GET /2         2.0 s", "and 1 more"])
    }

    @Test("shows the progress of transfers, with a bar if there is room")
    func progress() async throws {
        let change: @Sendable (Call) async throws -> Void = { call in
            call.emit(
                .bodyReceived,
                from: "t",
                ["bytes": .number(1_500_000), "total": .number(6_000_000)]
            )
        }
        let wide = try await Self.frame(["GET /film"], width: 100, change).lines[0]
        let narrow = try await Self.frame(["GET /film"], change).lines[0]
        let open = try await Self.frame(["PUT /film"]) { call in
            call.emit(.bodySent, from: "t", ["bytes": .number(999)])
        }

        #expect(wide.hasSuffix("received 1.5 MB of 6.0 MB  [#####---------------]  25 %  1.0 s"))
        #expect(wide.count == 100)
        #expect(narrow == "GET /film             received 1.5 MB of 6.0 MB  25 %  1.0 s")
        #expect(open.lines[0].hasSuffix("  sent 999 B  1.0 s"))
    }

    @Test("shows what a call waits for, and its attempt")
    func waiting() async throws {
        let frame = try await Self.frame(["GET /1"]) { call in
            _ = call.attempt(2).begin(.wait, "a permit", from: "test")
        }

        #expect(frame.lines[0].hasSuffix("  attempt 2  waits: a permit  1.0 s"))
        #expect(frame.summary == "GET /1  attempt 2  waits: a permit  1.0 s")
    }

    @Test("is never wider than the terminal, for any width and name")
    func narrow() async throws {
        let names = [
            "GET /" + String(repeating: "x", count: 200), "GET /注文/東京/👩‍👩‍👧/é", "", "\u{301}a",
        ]
        for width in 0...120 {
            let frame = try await Self.frame(names, width: width, rows: 3) { call in
                call.emit(.bodySent, from: "t", ["bytes": .number(.max), "total": .number(1)])
            }
            for line in frame.lines + [frame.summary] { #expect(line.columns <= width, "\(line)") }
        }
    }

    @Test("counts the columns of wide, combining and joined characters")
    func columns() {
        let widths = [
            "abc": 3, "注文": 4, "e\u{301}": 1, "👩": 2, "한": 2, "ｱ": 1, "Ａ": 2, "❤️": 2, "": 0,
        ]
        for (text, width) in widths { #expect(text.columns == width, "\(text)") }
        #expect("注文です".truncated(to: 6) == "注文…")
        #expect("abc".truncated(to: 3) == "abc")
        #expect("abcd".truncated(to: 3) == "ab…")
    }

    @Test("escapes control and direction characters as code points")
    func printable() {
        #expect(
            "a\u{1B}[2Jb\r\n\u{202E}c\u{9B}".printable == #"a\u{1B}[2Jb\u{D}\u{A}\u{202E}c\u{9B}"#
        )
        #expect("GET /é注".printable == "GET /é注")
    }

    @Test("shows a call as in flight until its body has ended")
    func body() async throws {
        var calls = CallsInFlight()
        let sink = RecordingEventSink()
        let call = Call(events: sink)
        let (outer, inner) = call.begin(.call, "call", from: "test")
        let (body, _) = inner.begin(.responseBody, "body", from: "test")
        call.end(outer, .completed, from: "test")
        for event in sink.events { calls.note(event) }
        #expect(!calls.isEmpty)

        inner.end(body, .abandoned, from: "test")
        if let last = sink.events.last { calls.note(last) }

        #expect(calls.isEmpty)
    }
}
