#if JWT
import Expectations
import InterceptorKit
import Testing

@testable import InterceptorKitJWT

@Suite("CompactSignature")
struct CompactSignatureTests {
    private let world = BearerWorld()

    @Test("makes every other text than the issuer's a token that is refused")
    func otherTexts() async throws {
        let verifier = try await world.verifier()
        let call = Call(runtime: world.runtime)
        let token = Array(world.token().utf8)
        _ = try await verifier.verify(String(decoding: token, as: UTF8.self), on: call)

        var accepted: [String] = []
        for index in token.indices {
            var shorter = token
            shorter.remove(at: index)
            var longer = token
            longer.insert(UInt8(ascii: "A"), at: index)
            var other = token
            other[index] ^= 1
            // After the last digit comes one that stands for the same bytes, and bits that are left over.
            var next = token
            next[index] += 1
            for bytes in [shorter, longer, other, next] {
                let text = String(decoding: bytes, as: UTF8.self)
                // One of two equal digits, removed or added, leaves the same text.
                guard bytes != token else { continue }
                do {
                    _ = try await verifier.verify(text, on: call)
                    accepted.append(text)
                } catch is AccessTokenError {}
            }
        }

        expectTrue(accepted.isEmpty, "\(accepted.prefix(3))")
    }

    @Test("ends with a refusal for any text, of whatever length and depth")
    func anyText() async throws {
        let verifier = try await world.verifier()
        let call = Call(runtime: world.runtime)
        let parts = [
            "", ".", "..", "...", "e30", "e30.e30.", "\u{E9}.\u{E9}.\u{E9}", "\0", "=", "A.A.A",
        ]
        let long = ["e30.e30.", "W1tb", "eyJ", ".", "A", "\u{1F600}"].map {
            String(repeating: $0, count: 8000)
        }

        for text in parts + long {
            await #expect(throws: AccessTokenError.self) {
                try await verifier.verify(text, on: call)
            }
        }
    }
}
#endif
