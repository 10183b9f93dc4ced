import Expectations
import Testing

@testable import InterceptorKit

@Suite("HTTP.ContentError")
struct ContentErrorDigestsTests {
    @Test("names the algorithms there were, escaped and cut")
    func unacceptable() {
        let long = String(repeating: "a", count: 100)

        let error = HTTP.ContentError.unacceptableDigest([.md5, HTTP.DigestAlgorithm("x\n\(long)")])

        let cut = String(repeating: "a", count: 78)
        expectEqual(error.code, .unacceptableDigest)
        expectTrue(
            "\(error)".hasPrefix(#"None of the digests ("md5", "x\n\#(cut)"…) uses an accepted "#)
        )
    }
}
