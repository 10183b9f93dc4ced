#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// Decides whether a server's certificate is accepted, and with which certificate of its own the client
/// answers when asked for one.
///
/// URLSession on Linux asks nobody, so there it is an error to set one: `CurlTransport` of
/// InterceptorKitCurl takes authorities, pins and client certificates.
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
    /// A response in URLSession's words.
    public typealias Decision = (URLSession.AuthChallengeDisposition, URLCredential?)

    let decision: @Sendable (URLAuthenticationChallenge) -> Decision

    /// Creates a policy.
    /// - Parameter decision: Answers a challenge about certificates; challenges of other kinds never get
    ///   here. It is called on the session's queue, so it must return at once.
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
