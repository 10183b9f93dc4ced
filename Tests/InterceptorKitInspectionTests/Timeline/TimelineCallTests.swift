import Expectations
import Foundation
import InterceptorKit
import InterceptorKitInspection
import TestSupport
import Testing

@Suite("TimelineCall")
struct TimelineCallTests {
    @Test("keeps the first 500 entries of a call, and counts the rest")
    func manyEntries() async throws {
        let timeline = Timeline()
        try await Call(events: timeline).activity(.call, "call", from: "test") { call in
            for _ in 0..<600 { call.emit("thing.happened", from: "test") }
            try await call.activity(.wait, "dropped", from: "test") { $0.emit("x", from: "test") }
        }

        let call = try unwrap(PageData(timeline).calls.first)

        expectEqual(call.rows.count, 500)
        expectEqual(call.dropped, 103)
        expectEqual(call.rows[0].ending, 0)
    }

    @Test("keeps an upload's latest byte count, and when it was sent")
    func upload() async throws {
        let timeline = Timeline()
        try await Call(events: timeline).activity(.transport, "t", from: "test") { call in
            for bytes in [10, 20, 50] {
                call.emit(.bodySent, from: "t", ["bytes": .number(bytes), "total": .number(50)])
            }
        }

        let row = try unwrap(PageData(timeline).calls.first?.rows.first)

        expectEqual(row.sent?.suffix(2), [50, 50])
    }

    @Test("shows as open what hasn't ended")
    func running() async throws {
        let timeline = Timeline()
        let data = try await Call(events: timeline).activity(.call, "call", from: "test") { _ in
            try PageData(timeline)
        }

        expectEqual(data.calls.first?.rows.first?.ending, -1)
        expectEqual(data.calls.first?.rows.first?.end, -1)
    }
}
