import InterceptorKitTesting
import Testing

@testable import InterceptorKit

@Suite("HashAlgorithm")
struct HashAlgorithmTests {
    static let all: [HashAlgorithm] = [
        .md5, .sha1, .sha224, .sha256, .sha384, .sha512, .sha512_256,
    ]

    @Test(
        "hashes abc as in FIPS 180-4 and RFC 1321",
        arguments: [
            (HashAlgorithm.md5, "900150983cd24fb0d6963f7d28e17f72"),
            (.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (.sha224, "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
            (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                .sha384,
                "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
                    + "8086072ba1e7cc2358baeca134c825a7"
            ),
            (
                .sha512,
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                    + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
            ),
            (.sha512_256, "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
        ]
    )
    func hash(algorithm: HashAlgorithm, digest: String) {
        #expect(algorithm.hash("abc".utf8).hexadecimal == digest)
    }

    @Test("hashes a two-block message with SHA-512/256 as in NIST's example")
    func longerMessage() {
        let message =
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
            + "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"

        let digest = HashAlgorithm.sha512_256.hash(message.utf8)

        #expect(
            digest.hexadecimal == "3928e184fb8690f840da3988121d31be65cb9d3ef83ee6146feac861e19b563a"
        )
    }

    @Test("hashes a million bytes that aren't contiguous in memory")
    func million() {
        let digest = HashAlgorithm.sha256.hash(repeatElement(UInt8(ascii: "a"), count: 1_000_000))

        #expect(
            digest.hexadecimal == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        )
    }

    @Test(
        "computes HMACs as in RFC 4231",
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
        let found = HashAlgorithm.sha256.authenticationCode(of: message, key: key)

        #expect(found.hexadecimal == code)
    }

    @Test("makes digests of the stated size", arguments: all)
    func size(algorithm: HashAlgorithm) {
        let digest = algorithm.hash([])
        let stored = unsafe digest.withContiguousStorageIfAvailable { unsafe Array($0) }

        #expect(digest.count == algorithm.digestSize)
        #expect(Array(digest).count == algorithm.digestSize)
        #expect(stored == Array(digest))
    }

    @Test("makes digests that are equal if all their bytes are")
    func equality() {
        let digest = HashAlgorithm.sha256.hash("a".utf8)

        #expect(digest == HashAlgorithm.sha256.hash("a".utf8))
        #expect(digest != HashAlgorithm.sha256.hash("b".utf8))
        #expect(digest != HashAlgorithm.sha512_256.hash("a".utf8))
        #expect(Set([digest, HashAlgorithm.sha256.hash("a".utf8)]).count == 1)
    }

    @Test("tells equal bytes from bytes that differ in content or length")
    func comparison() {
        #expect(isEqualInConstantTime([1, 2, 3], [1, 2, 3]))
        #expect(!isEqualInConstantTime([1, 2, 3], [1, 2, 4]))
        #expect(!isEqualInConstantTime([1, 2, 3], [1, 2]))
    }
}
