public import InterceptorKit

/// A signature method of OAuth 1.0a (RFC 5849 section 3.4).
public struct OAuth1Method: Sendable, Hashable {
    let name: String
    let function: SignatureFunction
    let encoding: SignatureEncoding

    /// `HMAC-SHA1` (RFC 5849 section 3.4.2).
    public static let hmacSHA1 = OAuth1Method(
        name: "HMAC-SHA1",
        function: .hmac(.sha1),
        encoding: .base64
    )
    /// `HMAC-SHA256`, an extension that many servers support.
    public static let hmacSHA256 = OAuth1Method(
        name: "HMAC-SHA256",
        function: .hmac(.sha256),
        encoding: .base64
    )
    /// `PLAINTEXT` (RFC 5849 section 3.4.4): the secrets themselves. Use it only over TLS.
    public static let plaintext = OAuth1Method(
        name: "PLAINTEXT",
        function: .plain,
        encoding: .text
    )
}

/// The place of OAuth 1.0a's parameters (RFC 5849 section 3.5).
public enum OAuth1Location: Sendable, Hashable {
    /// The field `Authorization`.
    case field
    /// The query.
    case query
    /// A form in the content.
    case form
}

extension SignatureScheme where Self == TemplateScheme {
    /// Returns the scheme of OAuth 1.0a (RFC 5849). Create its key with
    /// ``SigningKey/oauth1(consumerKey:consumerSecret:token:tokenSecret:)``.
    /// - Parameters:
    ///   - method: The signature method. Defaults to `HMAC-SHA1`.
    ///   - location: The place of the OAuth parameters. Defaults to the field `Authorization`.
    ///   - parameters: Additional parameters, such as `oauth_callback` or `oauth_verifier`. Defaults to none.
    ///   - hasVersion: Whether to send `oauth_version`. Defaults to `true`.
    public static func oauth1(
        _ method: OAuth1Method = .hmacSHA1,
        in location: OAuth1Location = .field,
        adding parameters: HTTP.Parameters = [:],
        hasVersion: Bool = true
    ) -> TemplateScheme {
        func place(_ name: String, _ template: SignatureTemplate) -> TemplateScheme.Addition {
            switch location {
            case .field: .element(name, scheme: "OAuth", template)
            case .query: .parameter(name, template)
            case .form: .form(name, template)
            }
        }
        let base: SignatureTemplate = """
            \(.encoded("\(.uppercased("\(.method)"))"))&\(.encoded("\(.baseURL)"))&\(.encoded("\(.parameters(.encoded))"))
            """
        return TemplateScheme(
            adding: [
                place("oauth_consumer_key", "\(.keyID)"),
                place("oauth_token", "\(.token)").omittedWhenEmpty,
                place("oauth_signature_method", SignatureTemplate(method.name)),
                place("oauth_timestamp", "\(.time(.seconds))"),
                place("oauth_nonce", "\(.nonce)"),
                place("oauth_version", hasVersion ? "1.0" : .empty).omittedWhenEmpty,
            ] + parameters.map { place($0.name, SignatureTemplate($0.value)) },
            signing: method == .plaintext ? "\(.secret)" : base,
            with: method.function,
            as: method.encoding,
            in: place("oauth_signature", "\(.signature)")
        )
    }
}

extension SigningKey {
    /// Returns a key for OAuth 1.0a: both secrets, percent-encoded and joined (RFC 5849 section 3.4.2).
    /// - Parameters:
    ///   - consumerKey: The client's id.
    ///   - consumerSecret: The client's secret.
    ///   - token: The token of the user who granted access. Defaults to none.
    ///   - tokenSecret: The token's secret. Defaults to none.
    public static func oauth1(
        consumerKey: String,
        consumerSecret: String,
        token: String? = nil,
        tokenSecret: String = ""
    ) -> SigningKey {
        let secrets =
            PercentEncoding.encode(consumerSecret) + "&"
            + PercentEncoding.encode(tokenSecret)
        var key = SigningKey(id: consumerKey, secret: secrets.utf8)
        key.token = token
        return key
    }
}
