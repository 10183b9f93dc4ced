import Expectations
import TestRun
import Testing

@testable import InterceptorKit

@Suite("SHA256State", .processorBound)
struct SHA256StateTests {
    // FIPS 180-4 section 5.3: the roots of the same primes, to 32 and 64 bits.
    @Test("begins with the upper halves of the words of SHA-512")
    func beginning() {
        let high = SIMD8<UInt32>(truncatingIfNeeded: SHA512State.sha512.words &>> 32)

        expectEqual(SHA256State.sha256.words, high)
    }
}
