import InterceptorKit
import Testing

@Suite("SHA256 and HMACSHA256")
struct SHA256Tests {
    @Test(
        "agrees with FIPS 180 examples",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ]
    )
    func hash(text: String, digest: String) {
        #expect(SHA256.hash(text.utf8).hexadecimal == digest)
    }

    @Test("agrees on a million bytes")
    func million() {
        let digest = SHA256.hash(repeatElement(UInt8(ascii: "a"), count: 1_000_000))

        #expect(
            digest.hexadecimal == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        )
    }

    @Test("gives one hash however the bytes are split")
    func splitting() {
        let bytes = (0..<200).map { UInt8($0) }
        let whole = SHA256.hash(bytes)

        for boundary in 0...bytes.count {
            var hash = SHA256()
            hash.update(bytes[..<boundary])
            hash.update(bytes[boundary...])
            #expect(hash.finalize() == whole)
        }
    }

    @Test(
        "agrees with RFC 4231",
        arguments: [
            (
                Array(repeating: UInt8(0x0b), count: 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                Array(repeating: 0xaa, count: 131),
                Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ]
    )
    func authenticationCode(key: [UInt8], message: [UInt8], code: String) {
        #expect(HMACSHA256(key: key).code(for: message).hexadecimal == code)
    }

    @Test("compares equal, different and differently long bytes")
    func comparison() {
        #expect(isEqualInConstantTime([1, 2, 3], [1, 2, 3]))
        #expect(!isEqualInConstantTime([1, 2, 3], [1, 2, 4]))
        #expect(!isEqualInConstantTime([1, 2, 3], [1, 2]))
    }
}
