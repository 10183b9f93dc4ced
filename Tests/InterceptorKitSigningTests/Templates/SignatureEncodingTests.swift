import Expectations
import Testing

@testable import InterceptorKit
@testable import InterceptorKitSigning

@Suite("SignatureEncoding")
struct SignatureEncodingTests {
    @Test(
        "writes bytes in each of its ways",
        arguments: [
            (SignatureEncoding.hexadecimal, "0afbff3f"), (.uppercaseHexadecimal, "0AFBFF3F"),
            (.base64, "Cvv/Pw=="),
        ]
    )
    func ways(encoding: SignatureEncoding, expected: String) {
        let text = encoding.text([0x0A, 0xFB, 0xFF, 0x3F])

        expectEqual(String(decoding: text, as: UTF8.self), expected)
    }

    @Test("leaves text as it is, also bytes that are none")
    func text() {
        expectEqual(SignatureEncoding.text.text([0x41, 0xFF]), [0x41, 0xFF])
    }
}
