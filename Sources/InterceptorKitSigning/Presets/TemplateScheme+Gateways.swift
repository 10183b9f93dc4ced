public import InterceptorKit

extension SignatureScheme where Self == TemplateScheme {
    /// Returns the scheme of a mobile gateway, which signs the operation type in a field, the content in base64, and
    /// the time in milliseconds.
    /// - Parameters:
    ///   - operation: The field with the operation type, which the caller sets. Defaults to `Operation-Type`.
    ///   - time: The field for the timestamp. Defaults to `Ts`.
    ///   - field: The field for the signature. Defaults to `Sign`.
    ///   - function: The signature function. Defaults to HMAC-SHA256.
    ///   - encoding: The signature's encoding. Defaults to base64.
    public static func mobileGateway(
        operation: String = "Operation-Type",
        time: String = "Ts",
        in field: String = "Sign",
        with function: SignatureFunction = .hmac(.sha256),
        as encoding: SignatureEncoding = .base64
    ) -> TemplateScheme {
        let text: SignatureTemplate = """
            Operation-Type=\(.field(operation))&Request-Data=\(.base64("\(.body)"))\
            &Ts=\(.time(.milliseconds))
            """
        let isHash = if case .hash = function.kind { true } else { false }
        return TemplateScheme(
            adding: [.field(time, "\(.time(.milliseconds))")],
            signing: isHash ? "\(text)\(.secret)" : text,
            with: function,
            as: encoding,
            in: .field(field, "\(.signature)")
        )
    }
}
