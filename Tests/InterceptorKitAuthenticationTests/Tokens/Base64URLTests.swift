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

    @Test("reads back what it writes", arguments: 0..<70)
    func readBack(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 251) }

        expectEqual(Base64URL.decode(Base64URL.encode(bytes).utf8), bytes)
    }

    @Test(
        "reads no other text for the same bytes, and nothing else",
        arguments: [
            "Zg==", "Zg=", "Zh", "Zm9=", "Zm9w Yg", "Zm9wYg\n", "Z", "Zm9vY", "+/-_", "Zm9vYh",
            "Zm9\u{E9}", "Zm\0v",
        ]
    )
    func refused(text: String) {
        expectEqual(Base64URL.decode(text.utf8), nil)
    }
}
