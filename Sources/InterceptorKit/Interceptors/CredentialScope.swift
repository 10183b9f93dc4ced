/// An interceptor that adds a credential only to requests for certain origins.
package protocol CredentialScope {
    /// The only origins that receive the credential; `nil` if it is not bound to any.
    var credentialOrigins: [HTTP.Origin]? { get }
}

extension UnorderedInterceptor: CredentialScope {
    package var credentialOrigins: [HTTP.Origin]? {
        (base as? any CredentialScope)?.credentialOrigins
    }
}
