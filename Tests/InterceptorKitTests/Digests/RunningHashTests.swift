import Expectations
import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite("RunningHash")
struct RunningHashTests {
    private let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }

    @Test("gives the same hash wherever the bytes are split", arguments: HashAlgorithmTests.all)
    func splitting(algorithm: HashAlgorithm) {
        let whole = algorithm.hash(bytes)

        for boundary in 0...bytes.count {
            var hash = RunningHash(algorithm)
            hash.update(bytes[..<boundary])
            hash.update(bytes[boundary...])
            expectEqual(hash.finalize(), whole)
        }
    }

    @Test("accepts bytes that aren't contiguous in memory")
    func scattered() {
        var hash = RunningHash(.sha256)

        hash.update(bytes.lazy.filter { _ in true })

        expectEqual(hash.finalize(), HashAlgorithm.sha256.hash(bytes))
    }

    @Test("shows a digest as hexadecimal digits")
    func description() {
        expectEqual("\(HashAlgorithm.md5.hash([]))", "d41d8cd98f00b204e9800998ecf8427e")
    }
}
