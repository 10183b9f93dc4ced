import Expectations
import InterceptorKit
import Testing

@testable import InterceptorKitCurl

@Suite("FieldList")
struct FieldListTests {
    @Test("has a semicolon after the name of a field without a value")
    func empty() {
        let headers: HTTP.Headers = ["X-A": "1", "X-Empty": "", "x-a": "2"]

        expectEqual(headers.linesForLibcurl(suppressing: []), ["X-A: 1", "X-Empty;", "x-a: 2"])
    }

    @Test("suppresses libcurl's own fields, apart from those that are set")
    func suppressed() {
        let headers: HTTP.Headers = ["accept": "a/b"]

        let lines = headers.linesForLibcurl(suppressing: ["Accept", "Expect"])

        expectEqual(lines, ["accept: a/b", "Expect:"])
    }

    @Test("is none when there are no lines")
    func none() {
        expectTrue(FieldList(lines: []) == nil)
    }
}
