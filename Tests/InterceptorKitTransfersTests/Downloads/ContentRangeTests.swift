import Expectations
import Testing

@testable import InterceptorKitTransfers

@Suite("ContentRange")
struct ContentRangeTests {
    @Test(
        "parses a part, a part of an unknown total, and none of a total",
        arguments: [
            ("bytes 5-9/10", .part(5...9, of: 10)), ("Bytes 0-0/1", .part(0...0, of: 1)),
            ("bytes 5-9/*", .part(5...9, of: nil)), ("bytes */10", .unsatisfied(of: 10)),
            ("bytes */0", .unsatisfied(of: 0)),
        ] as [(String, ContentRange)]
    )
    func parses(text: String, range: ContentRange) {
        expectEqual(ContentRange(text), range)
    }

    @Test(
        "parses nothing that says two things, or nothing, of the bytes",
        arguments: [
            "", "bytes", "bytes ", "bytes 5-9", "items 5-9/10", "bytes  5-9/10", "bytes 5-9/10 ",
            "bytes 9-5/10", "bytes 5-10/10", "bytes 5-/10", "bytes -9/10", "bytes 5/10",
            "bytes 5-9/", "bytes */*", "bytes */", "bytes +5-9/10", "bytes 5-9-9/10",
            "bytes 5-9/10/10", "bytes 0-99999999999999999999/*", "bytes 0-9/99999999999999999999",
        ]
    )
    func refuses(text: String) {
        expectEqual(ContentRange(text), nil)
    }
}
