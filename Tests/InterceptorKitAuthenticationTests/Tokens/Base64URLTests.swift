import Expectations
import Testing

@testable import InterceptorKitAuthentication

@Suite("Base64URL")
struct Base64URLTests {
    @Test(
        "writes no padding, as RFC 4648 section 10 does but for that",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
            ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"),
        ]
    )
    func padding(text: String, digits: String) {
        expectEqual(Base64URL.encode(text.utf8), digits)
    }

    @Test("writes the digits for 62 and 63 as - and _ (RFC 7515 appendix C)")
    func alphabet() {
        expectEqual(Base64URL.encode([3, 236, 255, 224, 193]), "A-z_4ME")
        expectEqual(Base64URL.encode([0xFB, 0xFF, 0xBF]), "-_-_")
    }
}
