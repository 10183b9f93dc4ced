import Expectations
import Testing

@testable import InterceptorKit

@Suite("MD5State")
struct MD5StateTests {
    // Those of appendix A.5 that other tests do not have.
    @Test(
        "hashes the test suite of RFC 1321",
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
            ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
            (
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
                "d174ab98d277d9f5a5611c2c9f419d9f"
            ),
            (
                String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"
            ),
        ]
    )
    func published(message: String, digest: String) {
        var hash = RunningHash(.md5, systemMinimum: .max)

        hash.update(message.utf8)

        expectEqual(hash.finalize().hexadecimal, digest)
    }
}
