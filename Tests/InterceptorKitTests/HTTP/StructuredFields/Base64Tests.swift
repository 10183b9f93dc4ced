import Expectations
import InterceptorKitTesting
import Testing

@testable import InterceptorKit

@Suite("Base64")
struct Base64Tests {
    @Test(
        "writes and reads the test vectors of RFC 4648",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ]
    )
    func published(text: String, encoded: String) {
        expectEqual(Base64.encode(Array(text.utf8)), encoded)
        expectEqual(Base64.decode(encoded.utf8), Array(text.utf8))
    }

    @Test("reads what has no padding, or bits that are not zero before it")
    func tolerance() {
        expectEqual(Base64.decode("Zg".utf8), Array("f".utf8))
        expectEqual(Base64.decode("Zm8".utf8), Array("fo".utf8))
        expectEqual(Base64.decode("Zh==".utf8), Array("f".utf8))
        expectEqual(Base64.decode("+/+/".utf8), [0xfb, 0xff, 0xbf])
    }

    @Test(
        "refuses other characters, lengths and paddings",
        arguments: [
            "Z", "Zm9vY", "Zg=", "Zg===", "Zm9v=", "Zm9v====", "====", "=", "Z===", "Z=g=",
            "Zg==Zg==", "-_-_", "Zm 8", "Zm8\n", "é",
        ]
    )
    func refused(text: String) {
        expectEqual(Base64.decode(text.utf8), nil)
    }

    @Test("reads back any bytes, also behind other text")
    func random() {
        var random = SeededGenerator(seed: 4648)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            var text = Array("x".utf8)

            Base64.append(bytes, to: &text)

            expectEqual(Base64.decode(text.dropFirst()), bytes)
            expectTrue((text.count - 1).isMultiple(of: 4))
        }
    }
}
