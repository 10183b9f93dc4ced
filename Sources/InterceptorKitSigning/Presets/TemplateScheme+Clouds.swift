public import InterceptorKit

extension SignatureScheme where Self == TemplateScheme {
    /// Alibaba Cloud's ACS3-HMAC-SHA256 ("V3 request structure and signature"). The caller sets
    /// `x-acs-action` and `x-acs-version`.
    ///
    /// The path is signed unchanged. Parameters, and values of a repeated field, are sorted before encoding.
    public static var aliyunACS3: TemplateScheme {
        let fields = SignedFields.prefixed(by: ["x-acs-", "content-type"])
        var parameters = RequestParameters.encoded
        parameters.sources = .query
        parameters.sortsDecoded = true
        let canonical: SignatureTemplate = """
            \(.method)
            \(.path)
            \(.parameters(parameters))
            \(.fieldLines(fields, hasHost: true, sortsValues: true))
            \(.fieldNames(fields, hasHost: true))
            \(.bodyHash(.sha256))
            """
        let names: SignatureTemplate = "\(.fieldNames(fields, hasHost: true))"
        let place: SignatureTemplate =
            "ACS3-HMAC-SHA256 Credential=\(.keyID),SignedHeaders=\(names),Signature=\(.signature)"
        return TemplateScheme(
            adding: [
                .field("x-acs-date", "\(.time(.iso8601))"),
                .field("x-acs-signature-nonce", "\(.nonce)"),
                .field("x-acs-content-sha256", "\(.bodyHash(.sha256))"),
                .field("x-acs-security-token", "\(.token)").omittedWhenEmpty,
            ],
            signing: "ACS3-HMAC-SHA256\n\(.hash(.sha256, of: canonical))",
            with: .hmac(.sha256),
            in: .field("Authorization", place)
        )
    }

    /// Returns Tencent Cloud's TC3-HMAC-SHA256 ("Signature method v3"). The caller sets the required
    /// `X-TC-Action`, `X-TC-Version` and `Content-Type`.
    ///
    /// Path and query are signed unchanged, and field values in lower case.
    /// - Parameters:
    ///   - service: The service, such as `cvm`.
    ///   - fields: The covered fields, besides `host`. Defaults to `Content-Type`.
    public static func tencentTC3(
        service: String,
        signing fields: [String] = ["Content-Type"]
    ) -> TemplateScheme {
        let fields = SignedFields.only(fields)
        let canonical: SignatureTemplate = """
            \(.method)
            \(.path)
            \(.query)
            \(.fieldLines(fields, hasHost: true, isLowercase: true))
            \(.fieldNames(fields, hasHost: true))
            \(.bodyHash(.sha256))
            """
        let name: SignatureTemplate = "TC3-HMAC-SHA256"
        let scope: SignatureTemplate = "\(.time(.day))/\(service)/tc3_request"
        let credential: SignatureTemplate = "Credential=\(.keyID)/\(scope)"
        let names: SignatureTemplate = "\(.fieldNames(fields, hasHost: true))"
        let place: SignatureTemplate = "SignedHeaders=\(names), Signature=\(.signature)"
        return TemplateScheme(
            adding: [
                .field("X-TC-Timestamp", "\(.time(.seconds))"),
                .field("X-TC-Token", "\(.token)").omittedWhenEmpty,
            ],
            signing: """
                \(name)
                \(.time(.seconds))
                \(scope)
                \(.hash(.sha256, of: canonical))
                """,
            with: .hmac(
                .sha256,
                key: "TC3\(.secret)",
                derivation: ["\(.time(.day))", "\(service)", "tc3_request"]
            ),
            in: .field("Authorization", "\(name) \(credential), \(place)")
        )
    }
}
