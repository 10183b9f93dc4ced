import Expectations
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("Credential, bound by DPoP")
struct CredentialDPoPTests {
    private func sent(_ credential: Credential) async throws -> HTTP.Request {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) }
        let client = try HTTP.Client(transport: transport, runtime: .virtual(clock: VirtualClock()))
        {
            TokenInterceptor(
                source: FixedCredentialSource(credential),
                origins: ["https://api.example.com"]
            )
        }
        _ = try await client.send(.get(orders))
        return transport.sent[0].input
    }

    @Test("writes DPoP tokens with the DPoP scheme")
    func dpop() async throws {
        try await expectEqual(sent(.dpop("a1")).headers["Authorization"], "DPoP a1")
        expectEqual("\(Credential.dpop("a1"))", "Credential(dpop)")
    }
}
