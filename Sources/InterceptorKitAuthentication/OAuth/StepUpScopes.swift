import InterceptorKit

/// The scopes of a source's tokens, and those that it also asks for if an API needs them.
struct StepUpScopes: Sendable {
    private let scopes: [String]
    private let further: Set<String>

    init(_ scopes: [String], upTo further: [String]) {
        self.scopes = scopes
        // Without scopes the server chooses them, and one that is asked for would be the only one.
        self.further = scopes.isEmpty ? [] : Set(further).subtracting(scopes)
    }

    /// Returns what a response needs, if it is a scope that the source may ask for.
    func need(in response: HTTP.Response) -> CredentialNeed? {
        guard !further.isEmpty, let need = CredentialNeed(in: response),
            need.reason == .insufficientScope, !need.scopes.isDisjoint(with: further),
            need.scopes.subtracting(scopes).isSubset(of: further)
        else { return nil }
        return need
    }

    /// Returns the parameter `scope` (RFC 6749 section 3.3) of a request for a token.
    func parameter(for need: CredentialNeed? = nil) -> (name: String, value: String) {
        let added = need.map { $0.scopes.intersection(further).sorted() } ?? []
        return ("scope", (scopes + added).joined(separator: " "))
    }
}
