import Expectations
import Foundation
import InterceptorKitSigning
import Testing

@testable import InterceptorKit
@testable import InterceptorKitAWS

@Suite("AWSSignatureV4.ChunkSigner")
struct ChunkSignerTests: SigV4SigningSuite {
    private let seed = String(repeating: "0", count: 64)

    private func signer(seed: String) throws -> AWSSignatureV4.ChunkSigner {
        let scheme = AWSSignatureV4.s3(region: "us-east-1", payload: .chunked(size: 8192))
        return try AWSSignatureV4.ChunkSigner(scheme, seed: seed, context(key))
    }

    @Test("says beforehand how long a body will be in pieces", arguments: [1, 15, 16, 255, 8192])
    func length(size: Int) throws {
        for length in [0, 1, size - 1, size, size + 1, 2 * size, 3 * size + 5] {
            var signer = try signer(seed: seed)
            var sent = 0
            for start in stride(from: 0, to: length, by: size) {
                sent += try signer.chunk(Data(count: min(size, length - start))).count
            }
            sent += try signer.chunk(Data()).count

            expectEqual(AWSSignatureV4.ChunkSigner.length(of: length, by: size), sent, "\(length)")
        }
    }

    @Test("takes a size below one for one")
    func sizes() {
        let single = AWSSignatureV4.ChunkSigner.length(of: 3, by: 1)

        expectEqual(AWSSignatureV4.ChunkSigner.length(of: 3, by: 0), single)
        expectEqual(AWSSignatureV4.ChunkSigner.length(of: 3, by: -5), single)
    }

    @Test("signs each piece over the signature before it")
    func chain() throws {
        var signer = try signer(seed: seed)
        let first = try signer.signature(of: [1])
        let second = try signer.signature(of: [1])
        var later = try self.signer(seed: first)

        expectTrue(first != second)
        try expectEqual(later.signature(of: [1]), second)
        expectEqual(later.previous, signer.previous)
    }
}
