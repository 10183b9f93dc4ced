import Expectations
import InterceptorKitSigning
import Testing

@testable import InterceptorKit
@testable import InterceptorKitAWS

@Suite("CanonicalWriter, paths")
struct CanonicalPathTests {
    @Test(
        "loses empty segments and dot segments, and never leaves the root",
        arguments: [
            ("/", "/"), ("//", "/"), ("/a/./b", "/a/b"), ("/a/../b", "/b"), ("/../../a", "/a"),
            ("/a/..", "/"), ("/a//b/", "/a/b/"), ("/.", "/"), ("/.a/..b", "/.a/..b"),
            ("/a/...", "/a/..."), ("/a/%2e%2e/b", "/a/%2e%2e/b"), ("/a./b", "/a./b"), ("", ""),
        ]
    )
    func normalized(path: String, expected: String) {
        let found = CanonicalWriter.normalizedPath(Array(path.utf8)[...])

        expectEqual(String(decoding: found, as: UTF8.self), expected)
    }

    @Test(
        "is encoded once as it is sent, or once more",
        arguments: [
            ("", "/", "/"), ("/a b", "/a%20b", "/a%20b"), ("/a%20b", "/a%20b", "/a%2520b"),
            ("/a%2fb", "/a%2Fb", "/a%252fb"), ("/%7e", "/~", "/%257e"), ("/%", "/%25", "/%25"),
            ("/*", "/%2A", "/%2A"),
        ]
    )
    func encoded(path: String, once: String, twice: String) {
        for (isEncodedTwice, expected) in [(false, once), (true, twice)] {
            var text = CanonicalWriter()
            text.appendPath(Array(path.utf8)[...], isEncodedTwice: isEncodedTwice)
            expectEqual(text.string, expected)
        }
    }
}
