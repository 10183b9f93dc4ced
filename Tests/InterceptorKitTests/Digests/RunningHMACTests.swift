import Expectations
import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite("RunningHMAC")
struct RunningHMACTests {
    @Test("gives the same code for pieces of any size", arguments: HashAlgorithmTests.all)
    func pieces(algorithm: HashAlgorithm) {
        var random = SeededGenerator(seed: 0x5eed)
        for _ in 0..<200 {
            let message = (0..<Int.random(in: 0...600, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let key = message.prefix(Int.random(in: 0...200, using: &random))
            var hmac = RunningHMAC(algorithm, key: key)

            var rest = message[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 0...150, using: &random))
                hmac.update(piece)
                rest = rest.dropFirst(piece.count)
            }

            expectEqual(hmac.finalize(), algorithm.authenticationCode(of: message, key: key))
        }
    }

    @Test("continues independently in copies")
    func copies() {
        var keyed = RunningHMAC(.sha256, key: Array("key".utf8))
        var copy = keyed
        copy.update(Array("one".utf8))
        keyed.update(Array("two".utf8))

        let one = HashAlgorithm.sha256.authenticationCode(of: "one".utf8, key: "key".utf8)
        let two = HashAlgorithm.sha256.authenticationCode(of: "two".utf8, key: "key".utf8)
        expectEqual(copy.finalize(), one)
        expectEqual(keyed.finalize(), two)
    }
}
