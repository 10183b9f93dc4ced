import Expectations
import Testing

@testable import InterceptorKit

@Suite("HTTP.DigestError")
struct DigestErrorTests {
    @Test("names the algorithms there were, escaped and cut")
    func unacceptable() {
        let long = String(repeating: "a", count: 100)

        let error = HTTP.DigestError.unacceptable([.md5, HTTP.DigestAlgorithm("x\n\(long)")])

        let cut = String(repeating: "a", count: 78)
        expectEqual(error.code, .unacceptable)
        expectTrue(
            "\(error)".hasPrefix(#"None of the digests ("md5", "x\n\#(cut)"…) uses an accepted "#)
        )
    }

    @Test("names the digest that does not match, and an unknown algorithm")
    func names() {
        let unknown = HTTP.DigestError.unknown(HTTP.DigestAlgorithm("own"))

        expectTrue("\(HTTP.DigestError.mismatch(.sha512))".contains(" the sha-512 digest "))
        expectTrue("\(unknown)".contains(#" algorithm "own" is not"#))
    }
}
