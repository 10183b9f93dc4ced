import Expectations
import Foundation
import InterceptorKit
import InterceptorKitInspection
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("Timeline")
struct TimelineTests {
    @Test("keeps each activity and decision in its place, with its attributes")
    func content() async throws {
        let timeline = Timeline()
        let data = try await onEverySeed(0..<1) { simulation in
            let transport = ScriptedTransport(replies: [
                .status(503), .status(200, body: .bytes(Data("ok".utf8))),
            ])
            let client = try simulation.client(transport, events: timeline) {
                RetryInterceptor(policy: .steady)
                SignInterceptor(.hmacSHA256(keyID: "k", secret: "s"))
            }
            _ = try await client.send(.get(orders)).text()
            return try PageData(timeline)
        }

        let call = try unwrap(data.calls.first)
        expectEqual(
            call.outline,
            [
                "call call", "  interceptor RetryInterceptor", "    attempt attempt 1",
                "      interceptor SignInterceptor", "        moment signature.added",
                "        transport ScriptedTransport", "    moment retry.scheduled",
                "    wait the next attempt", "    attempt attempt 2",
                "      interceptor SignInterceptor",
                "        moment signature.added", "        transport ScriptedTransport",
            ]
        )
        expectEqual(call.rows[0].facts["input"], "GET https://api.example.com/orders")
        expectEqual(call.rows[0].facts["output"], "200 OK")
        expectTrue(call.rows.allSatisfy { $0.kind == "moment" || $0.ending == 0 })
        let decision = try unwrap(call.rows.first { $0.name == "retry.scheduled" })
        expectEqual(decision.delay, 50_000)
        let second = try unwrap(call.rows.first { $0.name == "attempt 2" })
        expectEqual(second.start, 50_000)
        expectEqual(second.end, 50_000)
    }

    @Test("has every part of its page, and reads no title as one")
    func parts() {
        let page = Timeline().html(title: "{{data}}")

        expectEqual(page.ranges(of: "{{").count, page.ranges(of: "{{data}}").count)
        for part in [
            "<title>{{data}}</title>", "<h1>{{data}}</h1>", #"id="data">{"dropped":0,"#,
            "--ground: #ffffff", "aside { position: sticky", "const data = JSON.parse",
            "const calls = data.calls", "const panel = document",
        ] {
            expectTrue(page.contains(part), "\(part)")
        }
    }

    @Test("keeps the newest calls, and counts the dropped ones")
    func newest() async throws {
        let timeline = Timeline(keeping: 3)
        for number in 0..<10 {
            let call = Call(events: timeline)
            try await call.activity(.call, "\(number)", from: "test") { _ in }
        }

        let data = try PageData(timeline)

        expectEqual(data.calls.map { $0.rows[0].name }, ["7", "8", "9"])
        expectEqual(data.dropped, 7)
        expectEqual(timeline.dropped, 7)
        timeline.removeAll()
        try expectTrue(PageData(timeline).calls.isEmpty)
    }

    @Test("ignores late events of a dropped call")
    func late() async throws {
        let timeline = Timeline(keeping: 1)
        try await Call(events: timeline).activity(.call, "old", from: "test") { call in
            try await Call(events: timeline).activity(.call, "new", from: "test") { _ in }
            call.emit("late", from: "test")
            try await call.activity(.wait, "late", from: "test") { _ in }
        }

        let data = try PageData(timeline)

        expectEqual(data.calls.map(\.outline), [["call new"]])
    }

    @Test("bounds each text, and all of them by dropping calls")
    func manyTexts() async throws {
        let timeline = Timeline()
        let long = String(repeating: "é", count: 100_000)
        for _ in 0..<900 {
            try await Call(events: timeline).activity(.call, "call", from: "test") { call in
                for number in 0..<10 {
                    call.emit("thing", from: "test", ["\(number)": .text("\(number)" + long)])
                }
            }
        }

        let html = timeline.html()
        let data = try PageData(timeline)

        let kept = try unwrap(data.calls.first?.rows[1].facts["0"])
        expectTrue(kept.utf8.count <= 2003)
        expectTrue(kept.hasSuffix("é…"))
        expectTrue(data.dropped > 500)
        expectEqual(data.calls.count + data.dropped, 900)
        expectTrue(html.utf8.count < 6_000_000)
    }

    @Test("is one page without requests, and escapes all text of events")
    func hostile() async throws {
        let timeline = Timeline()
        let hostile =
            "</script><img src=x onerror=alert(1)><!--&\u{2028}\u{2029}\u{0}\"\\<\u{301}b>"
        try await Call(events: timeline).activity(.call, hostile, from: hostile) { call in
            call.emit("name", from: "x", [hostile: .text(hostile)])
        }

        let html = timeline.html(title: "</title></script><img src=x onerror=alert(1)>")

        expectTrue(
            html.contains(
                "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
            )
        )
        for text in ["<img", "alert(1)>", "<!--", "\u{2028}", "\u{2029}", "\u{0}", "src="] {
            expectTrue(
                !html.replacing("img src=x", with: "img").contains(text),
                "\(text.debugDescription)"
            )
        }
        expectEqual(html.components(separatedBy: "</script").count, 3)
        try expectEqual(PageData(timeline).calls.first?.rows[0].name, hostile)
    }

    @Test("writes the page to a file")
    func file() throws {
        let folder = try Folder()
        let timeline = Timeline()

        try timeline.write(to: folder["calls.html"], title: "Orders")

        let written = String(decoding: try unwrap(folder.content("calls.html")), as: UTF8.self)
        expectEqual(written, timeline.html(title: "Orders"))
        expectTrue(written.contains("<title>Orders</title>"))
        #expect(throws: (any Error).self) { try timeline.write(to: folder["no/such/place"]) }
    }
}
