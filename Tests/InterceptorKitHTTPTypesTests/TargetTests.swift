#if HTTPTypes
import Expectations
import HTTPTypes
import InterceptorKit
import InterceptorKitHTTPTypes
import Testing

@Suite("Conversions of targets to and from HTTPTypes")
struct TargetTests {
    static let theirs: [(scheme: String?, authority: String?, path: String?)] = [
        ("http", "h", nil), ("http", "h", "*"), ("http", "h", ""), ("http", "h/a", "/b"),
        ("http", "h", "/a#b"), ("http", "user@h", "/"), ("http", nil, "/"), (nil, "h", "/"),
        (nil, nil, "//h/a"), ("mailto", "h", "/"),
    ]

    @Test("refuse pseudo-header fields that do not form a URL", arguments: theirs.indices)
    func refusesTheirs(index: Int) {
        let (scheme, authority, path) = TargetTests.theirs[index]
        let request = HTTPRequest(method: .get, scheme: scheme, authority: authority, path: path)

        let error = #expect(throws: HTTP.RequestError.self) { try HTTP.Request(request) }

        expectEqual(error?.code, scheme == "mailto" ? .unsupportedScheme : .invalidURL)
    }

    @Test("turn an empty path into a slash")
    func emptyPath() throws {
        let paths = try ["http://h", "http://h?a=1"].map {
            try HTTPRequest(.get(HTTP.URL(unvalidated: $0))).path
        }

        expectEqual(paths, ["/", "/?a=1"])
    }
}
#endif
