public import InterceptorKit

extension SignatureScheme where Self == TemplateScheme {
    /// Returns the scheme of an HMAC over the content in one field, like GitHub's `X-Hub-Signature-256` (GitHub,
    /// "Validating webhook deliveries"). The signature covers no time, so a delivery can be replayed.
    /// - Parameters:
    ///   - field: The field. Defaults to GitHub's.
    ///   - text: The field's value. Defaults to `sha256=` and the digits.
    ///   - algorithm: The hash function. Defaults to SHA-256.
    ///   - encoding: The encoding of the HMAC. Defaults to hexadecimal digits.
    public static func webhook(
        _ field: String = "X-Hub-Signature-256",
        _ text: SignatureTemplate = "sha256=\(.signature)",
        _ algorithm: HashAlgorithm = .sha256,
        as encoding: SignatureEncoding = .hexadecimal
    ) -> TemplateScheme {
        TemplateScheme(
            signing: "\(.body)",
            with: .hmac(algorithm),
            as: encoding,
            in: .field(field, text)
        )
    }

    /// The scheme of Slack's requests (Slack, "Verifying requests from Slack").
    public static var slack: TemplateScheme {
        TemplateScheme(
            adding: [.field("X-Slack-Request-Timestamp", "\(.time(.seconds))")],
            signing: "v0:\(.time(.seconds)):\(.body)",
            with: .hmac(.sha256),
            in: .field("X-Slack-Signature", "v0=\(.signature)")
        )
    }

    /// Returns the scheme of Stripe's events (Stripe, "Verify webhook signatures manually"): time and signature are in
    /// one field, which has several signatures while a secret is replaced.
    /// - Parameter field: The field. Defaults to `Stripe-Signature`.
    public static func stripe(_ field: String = "Stripe-Signature") -> TemplateScheme {
        var scheme = TemplateScheme(
            signing: "\(.time(.seconds)).\(.body)",
            with: .hmac(.sha256),
            in: .field(field, "t=\(.time(.seconds)),v1=\(.signature)")
        )
        scheme.isListOfSignatures = true
        return scheme
    }

    /// Returns the scheme of Twilio's requests (Twilio, "Validating requests"). The signature covers the URL and the
    /// form's parameters, each pair once. For other content, the URL's parameter `bodySHA256` has its hash. The
    /// signature covers no time.
    ///
    /// Names and values are joined without a separator, so `a=bc` and `ab=c` have the same signature.
    /// - Parameter algorithm: The algorithm that `X-Twilio-Webhooks-Signature-Settings` names, SHA-256 for
    ///   `HMAC_SHA256`. Defaults to SHA-1.
    public static func twilio(_ algorithm: HashAlgorithm = .sha1) -> TemplateScheme {
        var parameters = RequestParameters.concatenated(from: .form)
        parameters.countsRepeatsOnce = true
        let hash: SignatureTemplate = "\(.bodyHash(.sha256, skipsForms: true))"
        return TemplateScheme(
            adding: [.parameter("bodySHA256", hash).omittedWhenEmpty],
            signing: "\(.url)\(.parameters(parameters))",
            with: .hmac(algorithm),
            as: .base64,
            in: .field("X-Twilio-Signature", "\(.signature)")
        )
    }
}
