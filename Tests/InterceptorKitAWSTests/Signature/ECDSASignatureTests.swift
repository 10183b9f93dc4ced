import Expectations
import InterceptorKitSigning
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitAWS

@Suite("ECDSASignature")
struct ECDSASignatureTests {
    /// Numbers that begin with zeros, with a high bit, or are zero.
    private static func numbers() -> [[UInt8]] {
        var chance = SplitMix64(seed: 5)
        return (0...33).map { zeros in
            (0..<32).map { $0 < zeros ? 0 : UInt8(truncatingIfNeeded: chance.next()) }
        } + [Array(repeating: 0xFF, count: 32), [0x80] + Array(repeating: 0, count: 31)]
    }

    @Test("is read back from its encoding, whatever its numbers begin with")
    func roundTrip() throws {
        for r in Self.numbers() {
            for s in Self.numbers() {
                let der = try ECDSASignature(bytes: r + s).der

                expectEqual(ECDSASignature(der: der)?.bytes, r + s)
            }
        }
    }

    @Test("is read from no encoding but the one it would be written in")
    func canonical() throws {
        let small = Array(repeating: UInt8(0), count: 31) + [1]
        let large = [UInt8](repeating: 0x81, count: 32)
        let der = try ECDSASignature(bytes: small + large).der
        expectEqual(der.prefix(5), [0x30, 38, 0x02, 1, 1])

        for index in der.indices {
            for bit in 0..<8 {
                var changed = der
                changed[index] ^= 1 << UInt8(bit)
                if let read = ECDSASignature(der: changed) { expectEqual(read.der, changed) }
            }
            expectTrue(ECDSASignature(der: Array(der.prefix(index))) == nil)
        }
        expectTrue(ECDSASignature(der: der + [0]) == nil)
        // The same numbers, one with a zero too many, one without the zero that makes it positive.
        expectTrue(ECDSASignature(der: [0x30, 39, 0x02, 2, 0] + der.dropFirst(4)) == nil)
        let negative: [UInt8] = [0x30, 37, 0x02, 1, 1, 0x02, 32]
        expectTrue(ECDSASignature(der: negative + large) == nil)
    }

    @Test("has 64 bytes", arguments: [0, 63, 65, 96])
    func size(count: Int) {
        let error = #expect(throws: SigningError.self) {
            try ECDSASignature(bytes: Array(repeating: 1, count: count))
        }

        expectEqual(error?.code, .unsuitableKey)
    }
}
