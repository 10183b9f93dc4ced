import CInterceptorKitCurl
import Expectations
import InterceptorKit
import Testing

@testable import InterceptorKitCurl

@Suite("FieldList")
struct FieldListTests {
    @Test("has a semicolon after the name of a field without a value")
    func empty() {
        let headers: HTTP.Headers = ["X-A": "1", "X-Empty": "", "x-a": "2"]

        let list = FieldList(headers, suppressing: [], and: "Host: a")

        expectEqual(list?.lines, ["X-A: 1", "X-Empty;", "x-a: 2", "Host: a"])
    }

    @Test("suppresses libcurl's own fields, apart from those that are set")
    func suppressed() {
        let headers: HTTP.Headers = ["accept": "a/b"]

        let list = FieldList(headers, suppressing: ["Accept", "Expect"])

        expectEqual(list?.lines, ["accept: a/b", "Expect:"])
    }

    @Test("is none when there are no lines")
    func none() {
        expectTrue(FieldList(lines: []) == nil)
        expectTrue(FieldList([:], suppressing: []) == nil)
    }

    @Test("has the bytes that a value was made of")
    func bytes() {
        let value = HTTP.FieldSyntax.text(of: [0x61, 0xFF, 0xC3, 0xA4])
        let list = FieldList(["X-A": value, "X-B": "\u{EE80}"], suppressing: [])

        expectEqual(
            list?.bytes,
            [Array("X-A: a".utf8) + [0xFF, 0xC3, 0xA4], Array("X-B: \u{EE80}".utf8)]
        )
    }
}

extension FieldList {
    fileprivate var lines: [String] { bytes.map { String(decoding: $0, as: UTF8.self) } }

    fileprivate var bytes: [[UInt8]] {
        var lines: [[UInt8]] = []
        // Safety: the list lives while this runs, and its lines end with NUL.
        var node: UnsafePointer<ikcurl_node>? = unsafe memory.assumingMemoryBound(
            to: ikcurl_node.self
        )
        while let current = unsafe node?.pointee {
            var line: [UInt8] = []
            while let byte = unsafe current.text?[line.count], byte != 0 {
                line.append(UInt8(bitPattern: byte))
            }
            lines.append(line)
            unsafe node = UnsafePointer(current.next)
        }
        return lines
    }
}
