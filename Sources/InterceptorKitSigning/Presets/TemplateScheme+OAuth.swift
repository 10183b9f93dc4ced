public import InterceptorKit

/// How OAuth 1.0a signs (RFC 5849 section 3.4).
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
    /// `HMAC-SHA256`, as many servers have it.
    public static let hmacSHA256 = OAuth1Method(
        name: "HMAC-SHA256",
        function: .hmac(.sha256),
        encoding: .base64
    )
    /// `PLAINTEXT` (RFC 5849 section 3.4.4): the secrets themselves. For TLS alone.
    public static let plaintext = OAuth1Method(
        name: "PLAINTEXT",
        function: .plain,
        encoding: .text
    )
}

/// Where OAuth 1.0a's parameters go (RFC 5849 section 3.5).
public enum OAuth1Location: Sendable, Hashable {
    /// Into the field `Authorization`.
    case field
    /// Into the query.
    case query
    /// Into a form in the content.
    case form
}

extension SignatureScheme where Self == TemplateScheme {
    /// OAuth 1.0a (RFC 5849). Make its key with
    /// ``SigningKey/oauth1(consumerKey:consumerSecret:token:tokenSecret:)``.
    /// - Parameters:
    ///   - method: How it is signed. Defaults to `HMAC-SHA1`.
    ///   - location: Where its parameters go. Defaults to the field `Authorization`.
    ///   - parameters: More of them, as in `oauth_callback` or `oauth_verifier`. Defaults to none.
    ///   - hasVersion: Whether `oauth_version` is sent. Defaults to `true`.
    public static func oauth1(
        _ method: OAuth1Method = .hmacSHA1,
        in location: OAuth1Location = .field,
        adding parameters: KeyValuePairs<String, String> = [:],
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
            ] + parameters.map { place($0.key, SignatureTemplate($0.value)) },
            signing: method == .plaintext ? "\(.secret)" : base,
            with: method.function,
            as: method.encoding,
            in: place("oauth_signature", "\(.signature)")
        )
    }
}

extension SigningKey {
    /// A key of OAuth 1.0a: both secrets, encoded and joined (RFC 5849 section 3.4.2).
    /// - Parameters:
    ///   - consumerKey: The client's name.
    ///   - consumerSecret: The client's secret.
    ///   - token: The token of who allowed it. Defaults to none.
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
