import Expectations
import InterceptorKit
import InterceptorKitAWS
import InterceptorKitSigning
import Testing

@Suite("AWSSignatureV4.Provider")
struct AWSProviderTests {
    @Test("distinguishes providers by name and field prefix, in any case")
    func providers() {
        typealias Provider = AWSSignatureV4.Provider

        expectEqual(Provider("AWS", fields: "AMZ"), .aws)
        expectEqual(Set([Provider("aws", fields: "amz"), .aws]).count, 1)
        expectTrue(Provider("aws") != .aws)
        expectTrue(Provider("goog", fields: "amz") != .aws)
    }

    @Test("refuses a provider whose name is invalid in fields", arguments: ["a b", "ä", "a:"])
    func providerName(name: String) {
        var scheme = AWSSignatureV4(service: "s", region: "r")
        for provider in [AWSSignatureV4.Provider(name), .init("aws", fields: name)] {
            scheme.provider = provider
            #expect {
                try scheme.validate()
            } throws: { ($0 as? SigningError)?.code == .invalidScheme }
        }
    }
}
