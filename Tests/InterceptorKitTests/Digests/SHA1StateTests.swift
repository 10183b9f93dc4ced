import Expectations
import TestRun
import Testing

@testable import InterceptorKit

@Suite("SHA1State", .processorBound)
struct SHA1StateTests {
    @Test("hashes a million bytes as FIPS 180, without the system")
    func million() {
        let piece = Array(repeating: UInt8(ascii: "a"), count: 1000)
        var hash = RunningHash(.sha1, systemMinimum: .max)

        for _ in 0..<1000 { hash.update(piece) }

        expectEqual(hash.finalize().hexadecimal, "34aa973cd4c4daa4f61eeb2bdbad27316534016f")
    }
}
