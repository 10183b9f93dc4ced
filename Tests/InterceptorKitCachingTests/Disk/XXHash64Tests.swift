import Expectations
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitCaching

@Suite("XXHash64")
struct XXHash64Tests {
    @Test(
        "agrees with the reference implementation",
        arguments: [
            (0, 0, 0xef46_db37_51d8_e999),
            (101, 0, 0xe990_3849_5f85_381e),
            (101, 0x9e37_79b1_85eb_ca8d, 0x13b5_7b30_0b1f_5a6f),
        ] as [(UInt8, UInt64, UInt64)]
    )
    func reference(count: UInt8, seed: UInt64, sum: UInt64) {
        expectEqual(XXHash64.sum(0..<count, seed: seed), sum)
    }

    @Test("detects any changed byte, at any length")
    func changes() {
        for count in 1...80 {
            var bytes = (0..<count).map { UInt8($0) }
            let sum = XXHash64.sum(bytes)
            for index in bytes.indices {
                bytes[index] ^= 1
                expectTrue(XXHash64.sum(bytes) != sum)
                bytes[index] ^= 1
            }
        }
    }
}
