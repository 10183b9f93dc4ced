#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// Decides whether to accept a server's certificate, and which client certificate to send.
///
/// URLSession on Linux asks no policy, so setting one there is an error. `CurlTransport` of InterceptorKitCurl supports
/// certificate authorities, pins and client certificates.
///
/// ```swift
/// var settings = URLSessionTransport.Settings()
/// settings.trust = TrustPolicy { challenge in
///     let isPinned = pins.match(challenge)
///     return (isPinned ? .performDefaultHandling : .cancelAuthenticationChallenge, nil)
/// }
/// ```
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
}
