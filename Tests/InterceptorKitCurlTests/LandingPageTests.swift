import InterceptorKit
import InterceptorKitCurl
import Testing

@Suite("The landing page's code")
struct LandingPageTests {
    @Test("makes a client and a transport with settings")
    func compiles() throws {
        let client = try HTTP.Client(transport: CurlTransport()) {
            RetryInterceptor(policy: .standard)
        }

        var settings = CurlTransport.Settings()
        settings.tls.trust = .file("/etc/ssl/internal-authority.pem")
        settings.tls.clientCertificate = .files(certificate: "client.pem", key: "client.key")
        settings.proxy = .none
        let transport = try CurlTransport(settings: settings)

        transport.close()
        client.cancelAll()
    }
}
