import Expectations
import InterceptorKit
import InterceptorKitTransfers
import Testing

@Suite("HTTP.Checksum")
struct ChecksumTests {
    @Test("parses a checksum of 64 hexadecimal digits in any case, nothing else")
    func checksumText() {
        let digits = "84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882"

        expectEqual(HTTP.Checksum(sha256: digits.uppercased())?.description, digits)
        expectEqual(HTTP.Checksum(sha256: String(digits.dropLast())), nil)
        expectEqual(HTTP.Checksum(sha256: digits + "0"), nil)
        expectEqual(HTTP.Checksum(sha256: "g" + digits.dropFirst()), nil)
    }
}
