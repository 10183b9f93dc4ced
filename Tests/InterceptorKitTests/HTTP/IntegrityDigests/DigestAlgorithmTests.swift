import Expectations
import Testing

@testable import InterceptorKit

@Suite("HTTP.DigestAlgorithm")
struct DigestAlgorithmTests {
    @Test("makes no digest with an unknown algorithm")
    func unknown() {
        let error = #expect(throws: HTTP.ContentError.self) {
            try HTTP.IntegrityDigests(of: [1], [HTTP.DigestAlgorithm("own")])
        }

        expectEqual(error?.code, .unknownAlgorithm)
    }

    @Test(
        "is computed under each registered name, from piece to piece",
        arguments: [
            ("sha-512", 64), ("sha-256", 32), ("md5", 16), ("sha", 20),
        ]
    )
    func registered(name: String, size: Int) throws {
        let message = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        let algorithm = HTTP.DigestAlgorithm(name)
        var whole = try RunningDigests([algorithm])
        var pieces = whole
        let empty = whole.digests

        whole.update(message)
        pieces.update(message.prefix(129))
        pieces.update(message.dropFirst(129))

        expectEqual(whole.digests[algorithm]?.count, size)
        expectEqual(whole.digests, pieces.digests)
        expectTrue(whole.digests != empty)
    }

    @Test(
        "is unknown under another name, in another case, or if it is a sum",
        arguments: ["SHA-256", "sha1", "", "unixsum", "unixcksum", "adler", "crc32c"]
    )
    func others(name: String) {
        expectEqual(HTTP.DigestAlgorithm(name).hash, nil)
    }
}
