#if JWT
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import Testing

@testable import InterceptorKitJWT

@Suite("BearerTokenInterceptor")
struct BearerTokenInterceptorTests {
    private let world = BearerWorld()

    @Test("passes a request with a valid token, and says who calls")
    func valid() async throws {
        let seen = ScriptedTransport<HTTP.Request>(replies: [.status(200)])
        let verifier = try await world.verifier()
        let service = try Pipeline(transport: seen, runtime: world.runtime) {
            BearerTokenInterceptor(verifier)
        }

        let response = try await service.run(world.bearer())

        expectEqual(response.status, 200)
        let call = try unwrap(seen.sent.first).call
        expectEqual(
            call.principal,
            Principal(
                "user-7",
                issuer: BearerWorld.issuer,
                clientID: "app",
                scopes: ["orders:read", "orders:write"],
                expiry: Date(timeIntervalSince1970: Double(BearerWorld.now + 300))
            )
        )
        struct Own: Decodable { var jti: String }
        try expectEqual(unwrap(call.accessToken).claims(as: Own.self).jti, "t1")
    }
}
#endif
