extension SignatureScheme where Self == TemplateScheme {
    /// Sorted parameters, hashed with the secret or under it: what most gateways of remote procedures
    /// ask for.
    /// - Parameters:
    ///   - additions: What is put into a request before, as in a timestamp. Defaults to nothing.
    ///   - text: What is signed. Defaults to `a=1&b=2&key=` and the secret.
    ///   - function: Defaults to MD5 of that.
    ///   - encoding: Defaults to hexadecimal digits in upper case.
    ///   - signature: Where it goes. Defaults to the form's parameter `sign`.
    public static func sortedParameters(
        adding additions: [TemplateScheme.Addition] = [],
        signing text: SignatureTemplate = "\(.parameters())&key=\(.secret)",
        with function: SignatureFunction = .hash(.md5),
        as encoding: SignatureEncoding = .uppercaseHexadecimal,
        in signature: TemplateScheme.Addition = .form("sign", "\(.signature)")
    ) -> TemplateScheme {
        TemplateScheme(
            adding: additions,
            signing: text,
            with: function,
            as: encoding,
            in: signature
        )
    }

    /// WeChat Pay's version 2, for parameters in a query or form: sorted, those without a value left out,
    /// `&key=` and the secret at the end. Its own interface takes XML, which is written by others.
    /// - Parameter function: ``SignatureFunction/hash(_:)`` of MD5, the default, or an HMAC.
    public static func weChatPayV2(
        _ function: SignatureFunction = .hash(.md5)
    ) -> TemplateScheme {
        var parameters = RequestParameters()
        parameters.skipsEmpty = true
        return sortedParameters(
            adding: [.form("nonce_str", "\(.nonce)")],
            signing: "\(.parameters(parameters))&key=\(.secret)",
            with: function
        )
    }

    /// Taobao's open platform: names and values between two copies of the secret, in MD5. `method`,
    /// `format` and the rest are the caller's; the timestamp is that of UTC+8.
    public static var taobaoTOP: TemplateScheme {
        let clock = SignatureTimeFormat.pattern("yyyy-MM-dd HH:mm:ss", utcOffset: .seconds(28_800))
        return sortedParameters(
            adding: [
                .form("app_key", "\(.keyID)"),
                .form("sign_method", "md5"),
                .form("timestamp", "\(.time(clock))"),
                .form("v", "2.0"),
            ],
            signing: "\(.secret)\(.parameters(.concatenated()))\(.secret)"
        )
    }

    /// Alibaba Cloud's RPC style, version 1 ("RPC signature"), in the query: `Action`, `Version` and
    /// `Format` are the caller's.
    public static var aliyunRPC: TemplateScheme {
        TemplateScheme(
            adding: [
                .parameter("AccessKeyId", "\(.keyID)"),
                .parameter("SecurityToken", "\(.token)").omittedWhenEmpty,
                .parameter("SignatureMethod", "HMAC-SHA1"),
                .parameter("SignatureNonce", "\(.nonce)"),
                .parameter("SignatureVersion", "1.0"),
                .parameter("Timestamp", "\(.time(.iso8601))"),
            ],
            signing: "\(.method)&%2F&\(.encoded("\(.parameters(.encoded))"))",
            with: .hmac(.sha1, key: "\(.secret)&"),
            as: .base64,
            in: .parameter("Signature", "\(.signature)")
        )
    }

    /// Tencent Cloud's older signature, version 1, in the query. `Action` and the rest are the caller's.
    public static var tencentV1: TemplateScheme {
        TemplateScheme(
            adding: [
                .parameter("Nonce", "\(.numericNonce)"),
                .parameter("SecretId", "\(.keyID)"),
                .parameter("Timestamp", "\(.time(.seconds))"),
                .parameter("Token", "\(.token)").omittedWhenEmpty,
            ],
            signing: "\(.method)\(.host)\(.path)?\(.parameters())",
            with: .hmac(.sha1),
            as: .base64,
            in: .parameter("Signature", "\(.signature)")
        )
    }

    /// UCloud's: names and values, then the secret, in SHA-1. It has no time.
    public static var ucloud: TemplateScheme {
        sortedParameters(
            adding: [.parameter("PublicKey", "\(.keyID)")],
            signing: "\(.parameters(.concatenated()))\(.secret)",
            with: .hash(.sha1),
            as: .hexadecimal,
            in: .parameter("Signature", "\(.signature)")
        )
    }

    /// A mobile gateway that signs what is called, with what, and when: the operation type of a field,
    /// the content in base64, and milliseconds.
    /// - Parameters:
    ///   - operation: The field with the operation type, which the caller sets. Defaults to
    ///     `Operation-Type`.
    ///   - time: The field for the timestamp. Defaults to `Ts`.
    ///   - field: The field for the signature. Defaults to `Sign`.
    ///   - function: Defaults to HMAC-SHA256.
    ///   - encoding: Defaults to base64.
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

    /// The plugin `hmac-auth` of Apache APISIX in its older form, also Higress's.
    /// - Parameter fields: Fields to cover, spelled as they are signed. Defaults to none.
    public static func apisix(signing fields: [String] = []) -> TemplateScheme {
        let lines = fields.reduce(into: SignatureTemplate()) { lines, name in
            lines.append("\(name):\(.field(name))\n")
        }
        let query = RequestParameters.encodedQuery
        return TemplateScheme(
            adding: [
                .field("Date", "\(.time(.http))"),
                .field("X-HMAC-ACCESS-KEY", "\(.keyID)"),
                .field("X-HMAC-ALGORITHM", "hmac-sha256"),
                .field("X-HMAC-SIGNED-HEADERS", "\(fields.joined(separator: ";"))")
                    .omittedWhenEmpty,
            ],
            signing: """
                \(.method)
                \(.path)
                \(.parameters(query))
                \(.keyID)
                \(.field("Date"))
                \(lines)
                """,
            with: .hmac(.sha256),
            as: .base64,
            in: .field("X-HMAC-SIGNATURE", "\(.signature)")
        )
    }
}
