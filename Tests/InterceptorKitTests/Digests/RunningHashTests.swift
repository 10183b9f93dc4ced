import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite("RunningHash and RunningHMAC")
struct RunningHashTests {
    private let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }

    @Test("give one hash wherever the bytes are split", arguments: HashAlgorithmTests.all)
    func splitting(algorithm: HashAlgorithm) {
        let whole = algorithm.hash(bytes)

        for boundary in 0...bytes.count {
            var hash = RunningHash(algorithm)
            hash.update(bytes[..<boundary])
            hash.update(bytes[boundary...])
            #expect(hash.finalize() == whole)
        }
    }

    @Test("give one hash into whatever pieces the bytes are cut", arguments: HashAlgorithmTests.all)
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

    @Test("go on separately in copies")
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
