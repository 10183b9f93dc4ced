import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("RunningHash and RunningHMAC")
struct RunningHashTests {
    private let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }

    @Test("give the same hash wherever the bytes are split", arguments: HashAlgorithmTests.all)
    func splitting(algorithm: HashAlgorithm) {
        let whole = algorithm.hash(bytes)

        for boundary in 0...bytes.count {
            var hash = RunningHash(algorithm)
            hash.update(bytes[..<boundary])
            hash.update(bytes[boundary...])
            #expect(hash.finalize() == whole)
        }
    }

    @Test("give the same hash for pieces of any size", arguments: HashAlgorithmTests.all)
    func pieces(algorithm: HashAlgorithm) {
        var random = SeededGenerator(seed: 0x5eed)
        for _ in 0..<200 {
            let message = (0..<Int.random(in: 0...600, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let key = message.prefix(Int.random(in: 0...200, using: &random))
            var hash = RunningHash(algorithm)
            var hmac = RunningHMAC(algorithm, key: key)

            var rest = message[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 0...150, using: &random))
                hash.update(piece)
                hmac.update(piece)
                rest = rest.dropFirst(piece.count)
            }

            #expect(hash.finalize() == algorithm.hash(message))
            #expect(hmac.finalize() == algorithm.authenticationCode(of: message, key: key))
        }
    }

    @Test("accept keys and bytes that aren't contiguous in memory")
    func scattered() {
        var hash = RunningHash(.sha256)
        var hmac = RunningHMAC(.sha256, key: bytes[..<20].lazy.filter { _ in true })

        hash.update(bytes.lazy.filter { _ in true })
        hmac.update(bytes.lazy.filter { _ in true })

        #expect(hash.finalize() == HashAlgorithm.sha256.hash(bytes))
        #expect(
            hmac.finalize()
                == HashAlgorithm.sha256.authenticationCode(of: bytes, key: bytes[..<20])
        )
    }

    @Test("show a digest as hexadecimal digits")
    func description() {
        #expect("\(HashAlgorithm.md5.hash([]))" == "d41d8cd98f00b204e9800998ecf8427e")
    }

    @Test("continue independently in copies")
    func copies() {
        var keyed = RunningHMAC(.sha256, key: Array("key".utf8))
        var copy = keyed
        copy.update(Array("one".utf8))
        keyed.update(Array("two".utf8))

        let one = HashAlgorithm.sha256.authenticationCode(of: "one".utf8, key: "key".utf8)
        let two = HashAlgorithm.sha256.authenticationCode(of: "two".utf8, key: "key".utf8)
        #expect(copy.finalize() == one)
        #expect(keyed.finalize() == two)
    }
}
