/// An interceptor that adds a credential to requests for certain origins alone.
package protocol CredentialScope {
    /// The only origins that receive the credential; `nil` where it isn't bound to any.
    var credentialOrigins: [HTTP.Origin]? { get }
}

extension UnorderedInterceptor: CredentialScope {
    package var credentialOrigins: [HTTP.Origin]? {
        (base as? any CredentialScope)?.credentialOrigins
    }
}
