extension SignatureScheme where Self == TemplateScheme {
    /// Alibaba Cloud's ACS3-HMAC-SHA256 ("V3 request structure and signature"). `x-acs-action` and
    /// `x-acs-version` are the caller's.
    public static var aliyunACS3: TemplateScheme {
        let fields = SignedFields.prefixed(by: ["x-acs-", "content-type"])
        let canonical: SignatureTemplate = """
            \(.method)
            \(.path)
            \(.parameters(.encodedQuery))
            \(.fieldLines(fields, hasHost: true))
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

    /// Tencent Cloud's TC3-HMAC-SHA256 ("Signature method v3"). `X-TC-Action` and `X-TC-Version` are the
    /// caller's.
    /// - Parameters:
    ///   - service: As in `cvm`.
    ///   - fields: Which fields are covered, with `host`. Defaults to `Content-Type`.
    public static func tencentTC3(
        service: String,
        signing fields: [String] = ["Content-Type"]
    ) -> TemplateScheme {
        let fields = SignedFields.only(fields)
        let canonical: SignatureTemplate = """
            \(.method)
            \(.path)
            \(.parameters(.encodedQuery))
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

    /// AWS Signature Version 2, in the query (AWS, "Signature Version 2 signing process").
    /// - Parameter time: How the timestamp is written. Defaults to `2011-10-03T15:19:30`.
    public static func awsV2(
        time: SignatureTimeFormat = .pattern("yyyy-MM-ddTHH:mm:ss")
    ) -> TemplateScheme {
        TemplateScheme(
            adding: [
                .parameter("AWSAccessKeyId", "\(.keyID)"),
                .parameter("SignatureVersion", "2"),
                .parameter("SignatureMethod", "HmacSHA256"),
                .parameter("Timestamp", "\(.time(time))"),
                .parameter("SecurityToken", "\(.token)").omittedWhenEmpty,
            ],
            signing: "\(.method)\n\(.host)\n\(.path)\n\(.parameters(.encodedQuery))",
            with: .hmac(.sha256),
            as: .base64,
            in: .parameter("Signature", "\(.signature)")
        )
    }

    /// S3's signature version 2 (Amazon S3, "Signing and authenticating REST requests"). A `Date` that a
    /// request has stays.
    /// - Parameter bucket: The bucket if the host names it; `nil`, the default, if the path does.
    public static func s3V2(bucket: String? = nil) -> TemplateScheme {
        objectStore("AWS", prefix: "x-amz-", bucket)
    }

    /// Alibaba Cloud OSS's signature version 1 in a field. A `Date` that a request has stays.
    /// - Parameter bucket: The bucket if the host names it; `nil`, the default, if the path does.
    public static func aliyunOSS(bucket: String? = nil) -> TemplateScheme {
        objectStore("OSS", prefix: "x-oss-", bucket)
    }

    private static func objectStore(
        _ name: String,
        prefix: String,
        _ bucket: String?
    ) -> TemplateScheme {
        var subresources = RequestParameters()
        subresources.sources = .query
        subresources.only = objectSubresources
        subresources.isBareWhenEmpty = true
        subresources.lead = "?"
        let container: SignatureTemplate = bucket.map { "/\($0)" } ?? .empty
        return TemplateScheme(
            adding: [
                .field("Date", "\(.time(.http))").keepingExisting,
                .field(prefix + "security-token", "\(.token)").omittedWhenEmpty,
            ],
            signing: """
                \(.method)
                \(.field("Content-MD5"))
                \(.field("Content-Type"))
                \(.field("Date"))
                \(.fieldLines(.prefixed(by: [prefix])))\(container)\(.path)\(.parameters(subresources))
                """,
            with: .hmac(.sha1),
            as: .base64,
            in: .field("Authorization", "\(name) \(.keyID):\(.signature)")
        )
    }

    /// Qiniu's management credentials: `QBox`, over path, query and a form's content. They have no time.
    public static var qiniu: TemplateScheme {
        TemplateScheme(
            signing: "\(.requestTarget)\n\(.formBody)",
            with: .hmac(.sha1),
            as: .base64URL,
            in: .field("Authorization", "QBox \(.keyID):\(.signature)")
        )
    }
}

/// The parameters that name a part of an object or bucket, and those that change the answer's fields.
private let objectSubresources: Set<String> = [
    "accelerate", "acl", "append", "cors", "delete", "lifecycle", "location", "logging",
    "notification", "objectMeta", "partNumber", "policy", "position", "referer", "replication",
    "requestPayment", "response-cache-control", "response-content-disposition",
    "response-content-encoding", "response-content-language", "response-content-type",
    "response-expires", "restore", "security-token", "tagging", "torrent", "uploadId", "uploads",
    "versionId", "versioning", "versions", "website",
]

extension RequestParameters {
    /// The query's parameters, percent-encoded.
    static var encodedQuery: RequestParameters {
        var parameters = RequestParameters.encoded
        parameters.sources = .query
        return parameters
    }
}
