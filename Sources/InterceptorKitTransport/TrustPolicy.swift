public import InterceptorKit

#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

#if canImport(Security)
import Security
#endif

/// Decides whether to accept a server's certificate, and which client certificate to send.
///
/// URLSession on Linux asks no policy, so setting one there is an error. `CurlTransport` of InterceptorKitCurl supports
/// certificate authorities, pins and client certificates.
///
/// ```swift
/// var settings = URLSessionTransport.Settings()
/// settings.trust = try TrustPolicy(pins: ["api.example.com": [keyInUse, nextKey]])
/// ```
///
/// For anything else, answer the challenges yourself, with ``init(_:)``.
///
/// Two policies are equal if they are the same object.
public final class TrustPolicy: Sendable, Hashable {
    /// The decision in URLSession's terms.
    public typealias Decision = (URLSession.AuthChallengeDisposition, URLCredential?)

    let decision: @Sendable (URLAuthenticationChallenge) -> Decision

    /// Creates a policy.
    /// - Parameter decision: Responds to a challenge about certificates; other challenges do not reach it. It is called
    ///   on the session's queue, so it must return at once.
    public init(_ decision: @escaping @Sendable (URLAuthenticationChallenge) -> Decision) {
        self.decision = decision
    }

    /// Creates a policy that accepts a server if the system trusts its certificate and, for a pinned host, one of the
    /// keys in its chain is pinned.
    /// - Parameter pins: The keys by host.
    /// - Throws: A `SettingError` that names the host whose pins cannot be used.
    public convenience init(pins: CertificatePins) throws(SettingError) {
        try pins.validate()
        self.init { challenge in
            let allowed = pins.pins(for: challenge.protectionSpace.host)
            let isAccepted = allowed.isEmpty || challenge.isPinned(by: allowed)
            return (isAccepted ? .performDefaultHandling : .cancelAuthenticationChallenge, nil)
        }
    }

    /// Whether both are the same object.
    public static func == (left: TrustPolicy, right: TrustPolicy) -> Bool { left === right }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension URLAuthenticationChallenge {
    var isAboutCertificates: Bool {
        #if canImport(FoundationNetworking)
        false
        #else
        [NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate]
            .contains(protectionSpace.authenticationMethod)
        #endif
    }

    /// Whether this is not about the server's certificate, or that is trusted with a pinned key in its chain.
    fileprivate func isPinned(by pins: [String]) -> Bool {
        #if canImport(FoundationNetworking)
        false
        #else
        guard protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust else {
            return true
        }
        guard let trust = protectionSpace.serverTrust, SecTrustEvaluateWithError(trust, nil),
            let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
        else { return false }
        return chain.contains { certificate in
            CertificatePins.pin(ofCertificate: SecCertificateCopyData(certificate) as Data)
                .map(pins.contains) ?? false
        }
        #endif
    }
}
