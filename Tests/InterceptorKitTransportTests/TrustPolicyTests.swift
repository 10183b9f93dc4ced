import Expectations
import InterceptorKitTransport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#else
import Foundation
#endif

@Suite("TrustPolicy")
struct TrustPolicyTests {
    @Test("equals itself alone, as its answer cannot be compared")
    func identity() {
        let answer: @Sendable (URLAuthenticationChallenge) -> TrustPolicy.Decision = { _ in
            (.performDefaultHandling, nil)
        }
        let first = TrustPolicy(answer)
        let second = TrustPolicy(answer)
        var settings = [URLSessionTransport.Settings(), URLSessionTransport.Settings()]
        settings[0].trust = first
        settings[1].trust = second

        expectEqual(first, first)
        expectTrue(first != second)
        expectTrue(settings[0] != settings[1])
        expectEqual(Set([first, second, first]).count, 2)
    }
}
