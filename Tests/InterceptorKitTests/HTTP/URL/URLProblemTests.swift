import Expectations
import InterceptorKit
import Testing

@Suite("URLProblem")
struct URLProblemTests {
    @Test(
        "refuses an invalid URL, and says why",
        arguments: [
            ("", "it is empty"),
            ("http://a/b c", "percent-encode it"), ("http://a/é", "percent-encode it"),
            ("http://a/\r\nX: 1", "percent-encode it"), ("http://a/\u{0}", "percent-encode it"),
            ("http://a/%2", "two hexadecimal digits"), ("http://a/%zz", "two hexadecimal digits"),
            ("http://a/{id}", "must be percent-encoded"),
            ("http://user:pw@a/", "user information"), ("http://a@b@c/", "user information"),
            ("http://a:99999/", "port"), ("http://a:x/", "port"), ("http://a:x/", "port"),
            ("http://[::1/", "IPv6"), ("http://[]/", "IPv6"), ("http://[::g]/", "IPv6"),
            ("http://a$b/", "host"), ("http:///x", "no host"), ("http://", "no host"),
            ("mailto:a", "not followed by //"), ("/orders", "no scheme and host"),
            ("a.example/x", "no scheme and host"), ("//a.example/x", "no scheme and host"),
        ]
    )
    func refused(text: String, reason: String) {
        let error = #expect(throws: HTTP.RequestError.self) {
            try HTTP.URL(unvalidated: text).validate()
        }

        expectEqual(error?.code, .invalidURL)
        expectEqual(error?.message.contains(reason), true, "\(error?.message ?? "")")
    }
}
