#if JWT
import Expectations
import InterceptorKit
import Testing

@testable import InterceptorKitJWT

/// What the documentation of this module shows.
@Suite("Documented bearer tokens")
struct DocumentedTests {
    @Test("verifies a token as documented")
    func documented() async throws {
        let world = BearerWorld()
        let keys = try await JSONWebKeySet(json: world.keySet)

        let verifier = JSONWebTokenVerifier(
            issuer: "https://login.example.com",
            audience: ["https://api.example.com"],
            keys: keys
        )
        let bearer = BearerTokenInterceptor(
            verifier,
            requiring: AccessRequirement(scopes: ["orders:read"]),
            dpop: DPoPVerification()
        )

        let service = try world.service(bearer)
        try await expectEqual(service.run(world.bearer()).headers["Subject"], "user-7")
        try await expectEqual(service.run(world.dpop()).headers["Subject"], "user-7")
    }
}
#endif
