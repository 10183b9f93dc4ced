import Expectations
import InterceptorKit
import InterceptorKitInspection
import InterceptorKitTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("RecordingTransport in update mode")
struct RecordingTransportUpdateTests {
    @Test("sends and adds missing entries, and keeps all other bytes of the file")
    func update() throws {
        let file = CassetteFile()
        let first = RecordingScript(replies: [.status(200, body: "old")])
        let recorder = try RecordingTransport(.record, cassette: file.path, over: first)
        _ = try Exchange.all([get("/a")], over: recorder)
        try file.write(file.text.replacing("\"log\" : {", with: "\"log\" : { \"_own\":  [1 ],"))
        let before = file.text
        let second = RecordingScript(replies: [.status(201, body: "new"), .status(202)])

        let updater = try RecordingTransport(.update, cassette: file.path, over: second)
        let updated = try Exchange.all([get("/b"), get("/a"), get("/a")], over: updater)
        let after = file.text
        let player = try RecordingTransport(replaying: file.path)
        let replayed = try Exchange.all([get("/a"), get("/a"), get("/b")], over: player)

        let end = try unwrap(before.firstRange(of: "\n    ]", after: "\"entries\""))
        expectEqual(updated.map(\.status), [201, 200, 202])
        expectEqual(second.sent.map(\.line), ["GET /b", "GET /a"])
        expectTrue(after.hasPrefix(before[..<end.lowerBound]))
        expectTrue(after.hasSuffix(before[end.lowerBound...]))
        expectEqual(replayed.map(\.status), [200, 202, 201])
    }

    @Test("leaves a complete file unchanged, and creates a missing one")
    func updateOfNothing() throws {
        let file = CassetteFile()
        let base = RecordingScript(replies: [.status(200)])

        let first = try RecordingTransport(.update, cassette: file.path, over: base)
        _ = try Exchange.all([get("/a")], over: first)
        let before = file.data
        let second = try RecordingTransport(
            .update,
            cassette: file.path,
            over: RecordingScript(replies: [])
        )
        let found = try Exchange.all([get("/a")], over: second)

        expectEqual(found.map(\.status), [200])
        expectEqual(file.data, before)
        expectEqual(file.names, ["exchanges.har"])
    }
}

extension String {
    fileprivate func firstRange(of text: String, after start: String) -> Range<Index>? {
        guard let start = firstRange(of: start) else { return nil }
        return self[start.upperBound...].firstRange(of: text)
    }
}
