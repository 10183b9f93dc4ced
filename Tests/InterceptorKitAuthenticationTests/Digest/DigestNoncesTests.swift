import Expectations
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitAuthentication

@Suite("DigestNonces")
struct DigestNoncesTests {
    private let origin: HTTP.Origin = "https://api.example.com"

    private func challenge(_ nonce: String) throws -> DigestChallenge {
        let text = #"Digest realm="r", nonce="\#(nonce)", qop="auth""#
        return try unwrap(DigestChallenge(HTTP.Challenge.parse([text])[0]))
    }

    private func text(_ nonceUse: DigestNonces.Use?) -> String? {
        nonceUse.map { "\($0.challenge.nonce) \($0.count)" }
    }

    @Test("continues the count for calls that got one nonce at the same time")
    func sameNonce() throws {
        let nonces = DigestNonces()

        expectEqual(text(nonces.begin(try challenge("n1"), for: origin)), "n1 1")
        expectEqual(text(nonces.begin(try challenge("n1"), for: origin)), "n1 2")
        expectEqual(text(nonces.next(for: origin)), "n1 3")
        expectEqual(text(nonces.begin(try challenge("n2"), for: origin)), "n2 1")
    }

    @Test("keeps a newer nonce when a late response to an older one arrives")
    func late() throws {
        let nonces = DigestNonces()
        let old = nonces.begin(try challenge("n1"), for: origin)
        _ = nonces.begin(try challenge("n2"), for: origin)

        nonces.replace(old, by: "n3", for: origin)
        expectEqual(text(nonces.next(for: origin)), "n2 2")
        nonces.forget(old, for: origin)
        expectEqual(text(nonces.next(for: origin)), "n2 3")
    }
}
