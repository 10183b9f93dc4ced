import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("HTTP.Headers")
struct HeadersTests {
    @Test("finds fields in any case of their name, joining repeats in order")
    func lookup() {
        let headers: HTTP.Headers = ["Accept": "a", "X-Id": "1", "accept": "b"]

        expectEqual(headers["ACCEPT"], "a, b")
        expectEqual(headers.values("accept"), ["a", "b"])
        expectEqual(headers["missing"], nil)
        expectEqual(headers.map(\.name), ["Accept", "X-Id", "accept"])
    }

    @Test("replaces in place and removes the others of that name")
    func replacing() {
        var headers: HTTP.Headers = ["A": "1", "B": "2", "a": "3", "C": "4"]

        headers["a"] = "9"
        headers["b"] = nil
        headers.setIfAbsent(name: "c", value: "no")
        headers.setIfAbsent(name: "D", value: "5")

        expectEqual(headers.map { "\($0.name)=\($0.value)" }, ["a=9", "C=4", "D=5"])
    }

    @Test(
        "never stores a name or value that could add fields, and names it",
        arguments: [
            ("X", "a\r\nEvil: 1"), ("X", "a\nb"), ("X", "a\0b"), ("X\r\nEvil", "1"), ("", "1"),
            ("X Y", "1"), ("X:", "1"), ("é", "1"),
        ]
    )
    func injection(name: String, value: String) {
        var set = HTTP.Headers()
        set[name] = value
        var appended = HTTP.Headers()
        appended.append(name: name, value: value)

        for headers in [set, appended, HTTP.Headers([(name, value)])] {
            expectTrue(headers.isEmpty)
            expectEqual(headers.problem?.code, .invalidField)
            expectEqual(headers.problem?.message.contains("Evil: 1"), false)
        }
    }

    @Test("trims surrounding whitespace and keeps it inside")
    func trimming() {
        let headers: HTTP.Headers = ["X": " \t a  b \t", "Y": "  "]

        expectEqual(headers["X"], "a  b")
        expectEqual(headers["Y"], "")
    }

    @Test("hides the values of fields that are not allow-listed")
    func redaction() {
        let headers: HTTP.Headers = [
            "Authorization": "Bearer s3cret", "Accept": "a/b", "X-Own": "s3cret",
        ]
        var dumped = ""
        dump(headers, to: &dumped)

        expectEqual(headers.description, "Authorization: ██\nAccept: a/b\nX-Own: ██")
        expectTrue(!dumped.contains("s3cret"))
    }

    @Test("is equal without regard to the case of names")
    func equality() {
        let left: HTTP.Headers = ["A": "1", "B": "2"]

        expectEqual(left, ["a": "1", "b": "2"])
        expectEqual(left.hashValue, (["a": "1", "b": "2"] as HTTP.Headers).hashValue)
        expectTrue(left != ["B": "2", "A": "1"])
    }
}
