import InterceptorKit
import InterceptorKitSigning
import Testing

@Suite("AWSSignatureV4.Provider")
struct AWSProviderTests {
    @Test("distinguishes providers by name and field prefix, in any case")
    func providers() {
        typealias Provider = AWSSignatureV4.Provider

        #expect(Provider("AWS", fields: "AMZ") == .aws)
        #expect(Set([Provider("aws", fields: "amz"), .aws]).count == 1)
        #expect(Provider("aws") != .aws)
        #expect(Provider("goog", fields: "amz") != .aws)
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
