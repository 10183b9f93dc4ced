import Expectations
import Testing

@testable import InterceptorKit

@Suite("HTTP.DigestAlgorithm")
struct DigestAlgorithmTests {
    @Test("makes no digest with an unknown algorithm")
    func unknown() {
        let error = #expect(throws: HTTP.DigestError.self) {
            try HTTP.IntegrityDigests(of: [1], [HTTP.DigestAlgorithm("own")])
        }

        expectEqual(error?.code, .unknownAlgorithm)
    }

    @Test(
        "is computed under each registered name, from piece to piece",
        arguments: [
            ("sha-512", 64), ("sha-256", 32), ("md5", 16), ("sha", 20), ("unixsum", 2),
            ("unixcksum", 4), ("adler", 4), ("crc32c", 4),
        ]
    )
    func registered(name: String, size: Int) throws {
        let message = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        var whole = try unwrap(RunningDigest(HTTP.DigestAlgorithm(name)))
        var pieces = whole
        let empty = whole.bytes

        whole.update(message)
        pieces.update(message.prefix(129))
        pieces.update(message.dropFirst(129))

        expectEqual(whole.bytes.count, size)
        expectEqual(whole.bytes, pieces.bytes)
        expectTrue(whole.bytes != empty)
    }

    @Test("is unknown under another name, or in another case", arguments: ["SHA-256", "sha1", ""])
    func others(name: String) {
        expectTrue(RunningDigest(HTTP.DigestAlgorithm(name)) == nil)
    }
}
