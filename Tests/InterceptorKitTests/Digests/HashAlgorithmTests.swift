import Expectations
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKit

@Suite("HashAlgorithm")
struct HashAlgorithmTests {
    static let all: [HashAlgorithm] = [.md5, .sha1, .sha256, .sha384, .sha512, .sha512_256]

    @Test(
        "hashes abc as in FIPS 180-4 and RFC 1321",
        arguments: [
            (HashAlgorithm.md5, "900150983cd24fb0d6963f7d28e17f72"),
            (.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
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
        expectEqual(algorithm.hash("abc".utf8).hexadecimal, digest)
    }

    @Test(
        "hashes longer messages as in FIPS 180 and RFC 1321",
        arguments: [
            (HashAlgorithm.md5, "message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            (.sha1, twoBlocks, "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
            (
                .sha256, twoBlocks,
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                .sha384, twoLongBlocks,
                "09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712"
                    + "fcc7c71a557e2db966c3e9fa91746039"
            ),
            (
                .sha512, twoLongBlocks,
                "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
                    + "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"
            ),
        ]
    )
    func longerMessages(algorithm: HashAlgorithm, message: String, digest: String) {
        expectEqual(algorithm.hash(message.utf8).hexadecimal, digest)
    }

    @Test("hashes a two-block message with SHA-512/256 as in NIST's example")
    func longerMessage() {
        let digest = HashAlgorithm.sha512_256.hash(twoLongBlocks.utf8)

        expectEqual(
            digest.hexadecimal,
            "3928e184fb8690f840da3988121d31be65cb9d3ef83ee6146feac861e19b563a"
        )
    }

    @Test("hashes a million bytes that aren't contiguous in memory")
    func million() {
        let digest = HashAlgorithm.sha256.hash(repeatElement(UInt8(ascii: "a"), count: 1_000_000))

        expectEqual(
            digest.hexadecimal,
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
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

        expectEqual(found.hexadecimal, code)
    }

    @Test(
        "authenticates with every other hash as RFC 2202 and RFC 4231 say",
        arguments: [
            (HashAlgorithm.md5, jefe, "750c783e6ab0b503eaa86e310a5db738"),
            (.md5, Authenticated(0xaa, 80, largeKey), "6b1ab7fe4bd7bf8f0b62e6ce61b9d0cd"),
            (.sha1, jefe, "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
            (.sha1, Authenticated(0xaa, 80, largeKey), "aa4ae5e15272d00e95705637ce8a3b55ed402112"),
            (
                .sha384, jefe,
                "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e"
                    + "8e2240ca5e69e2c78b3239ecfab21649"
            ),
            (
                .sha384, hiThere,
                "afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59c"
                    + "faea9ea9076ede7f4af152e8b2fa9cb6"
            ),
            (
                .sha512, jefe,
                "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
                    + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
            ),
            (
                .sha512, hiThere,
                "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde"
                    + "daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"
            ),
        ] as [(HashAlgorithm, Authenticated, String)]
    )
    func otherCodes(algorithm: HashAlgorithm, input: Authenticated, code: String) {
        let found = algorithm.authenticationCode(of: input.message.utf8, key: input.key)

        expectEqual(found.hexadecimal, code)
    }

    @Test("makes digests of the stated size", arguments: all)
    func size(algorithm: HashAlgorithm) {
        let digest = algorithm.hash([])
        let stored = unsafe digest.withContiguousStorageIfAvailable { unsafe Array($0) }

        expectEqual(digest.count, algorithm.digestSize)
        expectEqual(Array(digest).count, algorithm.digestSize)
        expectEqual(stored, Array(digest))
    }

    @Test("makes digests that are equal if all their bytes are")
    func equality() {
        let digest = HashAlgorithm.sha256.hash("a".utf8)

        expectEqual(digest, HashAlgorithm.sha256.hash("a".utf8))
        expectTrue(digest != HashAlgorithm.sha256.hash("b".utf8))
        expectTrue(digest != HashAlgorithm.sha512_256.hash("a".utf8))
        expectEqual(Set([digest, HashAlgorithm.sha256.hash("a".utf8)]).count, 1)
    }
}

private let twoBlocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
private let twoLongBlocks =
    "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
    + "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"

/// What the RFCs authenticate: a key of one byte many times, or of text, and a message.
struct Authenticated: Sendable {
    let key: [UInt8]
    let message: String

    init(_ byte: UInt8, _ count: Int, _ message: String) {
        key = Array(repeating: byte, count: count)
        self.message = message
    }

    init(_ key: String, _ message: String) {
        self.key = Array(key.utf8)
        self.message = message
    }
}

private let jefe = Authenticated("Jefe", "what do ya want for nothing?")
private let hiThere = Authenticated(0x0b, 20, "Hi There")
private let largeKey = "Test Using Larger Than Block-Size Key - Hash Key First"
