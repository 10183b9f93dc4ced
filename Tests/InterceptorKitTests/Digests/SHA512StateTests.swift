import Expectations
import TestRun
import Testing

@testable import InterceptorKit

@Suite("SHA512State", .processorBound)
struct SHA512StateTests {
    @Test("begins SHA-512/256 with the words that FIPS 180-4 section 5.3.6 makes")
    func beginning() {
        var state = SHA512State.sha512
        state.words = state.words ^ SIMD8(repeating: 0xa5a5_a5a5_a5a5_a5a5)
        var hash = BlockHash(state)
        unsafe Array("SHA-512/256".utf8).withUnsafeBytes { unsafe hash.update($0) }
        var made = [UInt8](repeating: 0, count: 64)
        var own = made

        unsafe made.withUnsafeMutableBytes { unsafe hash.finalize(into: $0) }
        unsafe own.withUnsafeMutableBytes { unsafe SHA512State.sha512_256.write(to: $0) }

        expectEqual(own, made)
    }
}
