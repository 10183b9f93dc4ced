import Expectations
import Foundation
import InterceptorKit
import TestSupport
import Testing

@testable import InterceptorKitInspection

@Suite("TimelineData")
struct TimelineDataTests {
    @Test("writes text that reads back the same and can't end a script element")
    func scriptText() throws {
        let scalars = (0..<0x100).compactMap(Unicode.Scalar.init)
        let text = String(String.UnicodeScalarView(scalars)) + "\u{2028}\u{2029}</script>🙂e\u{301}"

        let written = text.scriptText

        let read = try JSONDecoder().decode([String].self, from: Data("[\(written)]".utf8))
        expectEqual(read, [text])
        expectTrue(read[0].unicodeScalars.elementsEqual(text.unicodeScalars))
        expectTrue(
            !written.unicodeScalars.contains {
                "<>&\u{2028}\u{2029}\u{7F}\n".unicodeScalars.contains($0)
            }
        )
    }

    @Test("writes each text once, whatever number of calls and rows has it")
    func texts() {
        let timeline = Timeline()
        for _ in 0..<5 {
            let call = Call(events: timeline)
            call.beginWait(for: "something rare", from: "a rare source").end()
        }

        let html = timeline.html()

        expectEqual(
            html.split(separator: "something rare", omittingEmptySubsequences: false).count,
            2
        )
        expectEqual(
            html.split(separator: "a rare source", omittingEmptySubsequences: false).count,
            2
        )
    }

    @Test("bounds a time to what a script counts exactly")
    func times() {
        let far = Runtime.Instant(offset: .seconds(Int64.max))

        let json = TimelineData.json([], dropped: 3, until: far)

        expectTrue(json.hasPrefix(#"{"dropped":3,"until":1000000000000000,"#))
    }
}
