import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite("RangedContent")
struct RangedContentTests {
    private let content = RangedContent(
        Data("0123456789".utf8),
        headers: ["ETag": "\"1\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"]
    )

    @Test(
        "gives the one range asked for, to the content's end at most",
        arguments: [
            ("bytes=2-5", "2345", "bytes 2-5/10"), ("bytes=8-", "89", "bytes 8-9/10"),
            ("bytes=8-20", "89", "bytes 8-9/10"), ("bytes=-3", "789", "bytes 7-9/10"),
            ("bytes=-30", "0123456789", "bytes 0-9/10"), ("bytes=9-9", "9", "bytes 9-9/10"),
            ("bytes=0-9223372036854775807", "0123456789", "bytes 0-9/10"),
        ]
    )
    func part(range: String, body: String, told: String) {
        let answer = content.response(to: ["Range": range])

        expectEqual(answer.status, 206)
        expectEqual(String(decoding: answer.body, as: UTF8.self), body)
        expectEqual(answer.headers["Content-Range"], told)
        expectEqual(answer.headers["ETag"], "\"1\"")
    }

    @Test("answers 416 where nothing is in the range", arguments: ["bytes=10-", "bytes=-0"])
    func unsatisfied(range: String) {
        let answer = content.response(to: ["Range": range])

        expectEqual(answer.status, 416)
        expectEqual(answer.headers["Content-Range"], "bytes */10")
        expectTrue(answer.body.isEmpty)
    }

    @Test(
        "gives everything if asked for no range, several or another unit",
        arguments: [
            [:], ["Range": "bytes=0-1,4-5"], ["Range": "items=0-1"], ["Range": "bytes=-"],
            ["Range": "bytes=a-b"], ["Range": "bytes=1"],
        ] as [HTTP.Headers]
    )
    func whole(headers: HTTP.Headers) {
        let answer = content.response(to: headers)

        expectEqual(answer.status, 200)
        expectEqual(answer.body.count, 10)
        expectEqual(answer.headers["Content-Range"], nil)
        expectEqual(answer.headers["Accept-Ranges"], "bytes")
    }

    @Test(
        "gives a range only of the version that If-Range names",
        arguments: [
            ("\"1\"", 206), ("Sun, 06 Nov 1994 08:49:37 GMT", 206), ("\"2\"", 200),
            ("W/\"1\"", 200), ("Sun, 06 Nov 1994 08:49:38 GMT", 200),
        ]
    )
    func condition(text: String, status: Int) {
        let answer = content.response(to: ["Range": "bytes=2-5", "If-Range": text])

        expectEqual(answer.status.code, status)
    }

    @Test("gives everything for a weak entity tag, even if it is the content's")
    func weak() {
        let weak = RangedContent(content.content, headers: ["ETag": "W/\"1\""])

        let response = weak.response(to: ["Range": "bytes=2-5", "If-Range": "W/\"1\""])

        expectEqual(response.status, 200)
    }
}
