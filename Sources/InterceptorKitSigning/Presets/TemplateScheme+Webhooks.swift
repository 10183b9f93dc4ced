public import InterceptorKit

extension SignatureScheme where Self == TemplateScheme {
    /// An HMAC of the content in one field, as GitHub sends its deliveries: `X-Hub-Signature-256`
    /// (GitHub, "Validating webhook deliveries"). It has no time, so a delivery can be sent again.
    /// - Parameters:
    ///   - field: The field. Defaults to GitHub's.
    ///   - text: What the field says. Defaults to `sha256=` and the digits.
    ///   - algorithm: The hash function. Defaults to SHA-256.
    ///   - encoding: How the code is written. Defaults to hexadecimal digits.
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

    /// Slack's requests (Slack, "Verifying requests from Slack").
    public static var slack: TemplateScheme {
        TemplateScheme(
            adding: [.field("X-Slack-Request-Timestamp", "\(.time(.seconds))")],
            signing: "v0:\(.time(.seconds)):\(.body)",
            with: .hmac(.sha256),
            in: .field("X-Slack-Signature", "v0=\(.signature)")
        )
    }

    /// Stripe's events (Stripe, "Verify webhook signatures manually"): time and signature in one field,
    /// which may hold several of both sides of a secret's change.
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

    /// Twilio's requests: the URL and the form's parameters, each pair once, or the URL with the hash of
    /// other content in its parameter `bodySHA256` (Twilio, "Validating requests"). They have no time.
    ///
    /// Names and values are joined without anything between, so that `a=bc` and `ab=c` have one signature.
    /// - Parameter algorithm: What `X-Twilio-Webhooks-Signature-Settings` names, SHA-256 for
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
