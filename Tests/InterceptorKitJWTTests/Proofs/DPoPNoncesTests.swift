#if JWT
import BoundedWaits
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAuthentication
import Testing

@testable import InterceptorKitJWT

@Suite("DPoPNonces")
struct DPoPNoncesTests {
    private func at(_ seconds: Double) -> Runtime {
        .live(date: { Date(timeIntervalSince1970: seconds) })
    }

    @Test(
        "accepts a nonce for its lifetime, and replaces it after half of it",
        arguments: [
            (-61, .refused), (-60, .valid), (0, .valid), (150, .valid), (151, .aging),
            (300, .aging), (301, .refused),
        ] as [(Double, DPoPNonces.Judgement)]
    )
    func lifetime(after seconds: Double, judgement: DPoPNonces.Judgement) {
        let nonces = DPoPNonces()
        let nonce = nonces.fresh(on: at(1_700_000_000))

        expectEqual(nonces.judge(nonce, on: at(1_700_000_000 + seconds)), judgement)
    }

    @Test("gives the next nonce with a response, while the last is still accepted")
    func renewal() async throws {
        let world = BearerWorld()
        let service = try world.service(
            BearerTokenInterceptor(
                try await world.verifier(),
                dpop: DPoPVerification(nonces: world.nonces)
            )
        )
        func next(after seconds: Double) async throws -> String? {
            let nonce = world.nonces.fresh(on: at(Double(BearerWorld.now) - seconds))
            let request = world.dpop(
                proofClaims: ["nonce": "\"\(nonce)\"", "jti": "\"\(seconds)\""]
            )
            return try await service.run(request).headers["DPoP-Nonce"]
        }

        try await expectEqual(next(after: 10), nil)
        try await expectEqual(next(after: 200), world.nonces.fresh(on: world.runtime))
    }

    @Test("accepts nonces of servers with the same key alone")
    func shared() {
        let secret = [UInt8](repeating: 7, count: 32)
        let nonce = DPoPNonces(key: secret).fresh(on: at(0))

        expectEqual(DPoPNonces(key: secret).judge(nonce, on: at(0)), .valid)
        expectEqual(DPoPNonces().judge(nonce, on: at(0)), .refused)
    }

    @Test("refuses changed nonces, and accepts what an invalid clock made")
    func forged() throws {
        let nonces = DPoPNonces()
        let bytes = try unwrap(Base64URL.decode(nonces.fresh(on: at(0)).utf8))
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 0x80
            expectEqual(nonces.judge(Base64URL.encode(changed), on: at(0)), .refused)
        }
        for text in ["", "a", "\u{E9}", String(repeating: "A", count: 32)] {
            expectEqual(nonces.judge(text, on: at(0)), .refused)
        }
        for seconds in [Double.nan, .infinity, -1e300, -1] {
            let nonce = nonces.fresh(on: at(seconds))
            expectEqual(nonces.judge(nonce, on: at(seconds)), .valid)
        }
    }

    @Test("shows no key")
    func shown() {
        var dumped = ""

        dump(DPoPNonces(key: [UInt8](repeating: 77, count: 32)), to: &dumped)

        expectTrue(!dumped.contains("77"))
    }
}
#endif
