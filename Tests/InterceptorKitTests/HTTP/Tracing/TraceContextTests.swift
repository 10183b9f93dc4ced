import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("HTTP.TraceContext")
struct TraceContextTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"
    private static let valid = "00-\(trace)-b7ad6b7169203331-01"

    // test_tracestate_multiple_headers_different_keys and test_traceparent_version_0xcc of W3C's harness.
    @Test("reads the fields of W3C's own tests")
    func published() {
        let rest = "-12345678901234567890123456789012-1234567890123456-00"
        let several = HTTP.TraceContext([
            "traceparent": "00\(rest)", "tracestate": "foo=1,bar=2",
            "tracestate": "rojo=1,congo=2", "tracestate": "baz=3",
        ])

        expectEqual(several?.traceparent, "00\(rest)")
        expectEqual(several?.tracestate, "foo=1,bar=2,rojo=1,congo=2,baz=3")
        expectEqual(HTTP.TraceContext(traceparent: "cc\(rest)")?.traceparent, "00\(rest)")
        expectEqual(HTTP.TraceContext(traceparent: "ff\(rest)"), nil)
        expectEqual(HTTP.TraceContext(traceparent: "00\(rest)."), nil)
    }

    @Test("is read between whitespace")
    func blanks() {
        let context = HTTP.TraceContext(traceparent: " \t\(Self.valid) ")

        expectEqual(context?.traceparent, Self.valid)
    }

    @Test("accepts only a dash between the parts", arguments: [2, 35, 52])
    func dashes(place: Int) {
        var bytes = Array(Self.valid.utf8)
        bytes[place] = UInt8(ascii: "0")

        expectEqual(HTTP.TraceContext(traceparent: String(decoding: bytes, as: UTF8.self)), nil)
    }

    @Test("accepts only lower-case hexadecimal digits", arguments: ["g", "A", "-", "`", ":"])
    func digits(digit: String) {
        let text = Self.valid.replacing("b7ad", with: "b7a\(digit)")

        expectEqual(HTTP.TraceContext(traceparent: text), nil)
    }

    @Test(
        "identifies a trace by both halves of its identifier",
        arguments: ["00000000000000000000000000000001", "10000000000000000000000000000000"]
    )
    func halves(trace: String) {
        let context = HTTP.TraceContext(traceparent: Self.valid.replacing(Self.trace, with: trace))

        expectEqual(context?.traceID, trace)
    }

    @Test(
        "distinguishes the sampled flag from the random flag, and keeps both",
        arguments: [("00", false), ("01", true), ("02", false), ("03", true)]
    )
    func flags(flags: String, isSampled: Bool) {
        let text = Self.valid.dropLast(2) + flags

        let context = HTTP.TraceContext(traceparent: String(text))

        expectEqual(context?.isSampled, isSampled)
        expectEqual(context?.traceparent, String(text))
    }

    @Test(
        "reads the members of tracestate, or none if one is malformed",
        arguments: [
            ("a=1, ,b=2", "a=1,b=2"), ("a=1,,b=2,", "a=1,b=2"), ("a=1,b=\u{7F}", nil),
            ("a=~", "a=~"), ("a=1,b=", nil),
        ]
    )
    func state(text: String, shown: String?) {
        let context = HTTP.TraceContext(traceparent: Self.valid, tracestate: [text])

        expectEqual(context?.traceID, Self.trace)
        expectEqual(context?.tracestate, shown)
    }
}
