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

    @Test("gives the same hash for pieces of any size", arguments: HashAlgorithmTests.all)
    func pieces(algorithm: HashAlgorithm) {
        var random = SeededGenerator(seed: 0x5eed)
        for _ in 0..<200 {
            let message = (0..<Int.random(in: 0...600, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            var hash = RunningHash(algorithm)

            var rest = message[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 0...150, using: &random))
                hash.update(piece)
                rest = rest.dropFirst(piece.count)
            }

            expectEqual(hash.finalize(), algorithm.hash(message))
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
