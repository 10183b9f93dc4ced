import Expectations
import Testing

@testable import InterceptorKit
@testable import InterceptorKitCaching

@Suite("HTTP.byteRange")
struct ByteRangeTests {
    @Test(
        "is the part of what there is that the field asks for",
        arguments: [
            ("bytes=2-4", 2..<5), ("bytes=7-", 7..<10), ("bytes=-2", 8..<10),
            ("bytes=0-999", 0..<10), ("bytes=-99", 0..<10), ("bytes=9-9", 9..<10),
            ("BYTES= 2-4 ", 2..<5), ("bytes=0-9223372036854775807", 0..<10),
        ]
    )
    func cut(text: String, expected: Range<Int>) {
        expectEqual(HTTP.byteRange(text, of: 10), expected)
    }

    @Test(
        "is nil for several ranges, other units and what lies outside",
        arguments: [
            "bytes=10-", "bytes=10-12", "bytes=4-2", "bytes=0-1,3-4", "lines=1-2", "bytes=",
            "bytes=-", "bytes=-0", "bytes=a-b", "bytes=+1-2", "bytes=1-2-3", "bytes=1-2=3", "bytes",
            "", "bytes=99999999999999999999-", "bytes=-99999999999999999999",
            "bytes=0-99999999999999999999",
        ]
    )
    func uncuttable(text: String) {
        expectEqual(HTTP.byteRange(text, of: 10), nil)
    }

    @Test("is nil for any range of nothing", arguments: ["bytes=0-", "bytes=-1", "bytes=0-0"])
    func empty(text: String) {
        expectEqual(HTTP.byteRange(text, of: 0), nil)
    }
}
