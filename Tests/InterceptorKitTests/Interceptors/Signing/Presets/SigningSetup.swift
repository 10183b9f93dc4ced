import Foundation
import InterceptorKit
import Testing

/// A scheme with a request, a key and a moment to try it on.
struct SigningSetup {
    var scheme: TemplateScheme
    var request: HTTP.Request
    var key: SigningKey
    var date = Date(timeIntervalSince1970: 1_700_000_000)
    var nonce = "00112233445566778899aabbccddeeff"

    var context: SigningContext {
        SigningContext(key: key, freshness: SignatureFreshness(date: date, nonce: nonce))
    }

    /// What a documented example is an example of.
    init(_ row: PublishedExample) throws {
        let setups: [(String, (PublishedExample) throws -> SigningSetup)] = [
            ("wechatpay-v2-md5", { .weChat($0, .hash(.md5)) }),
            ("wechatpay-v2-hmac", { .weChat($0, .hmac(.sha256)) }),
            ("taobao", Self.taobao), ("aliyun-rpc", Self.aliyunRPC), ("aliyun-acs3", Self.acs3),
            ("tencent-tc3", Self.tc3), ("tencent-v1", Self.tencentV1), ("ucloud", Self.ucloud),
            ("aws-sigv2", Self.awsV2), ("aliyun-oss", Self.objectStore),
            ("aws-s3-v2", Self.objectStore), ("rfc5849", Self.oauth), ("oauth", Self.oauth),
            ("twitter", Self.oauth), ("twilio", Self.twilio), ("slack", Self.slack),
            ("github", Self.github), ("qiniu", Self.qiniu), ("apisix", Self.apisix),
        ]
        guard let setup = setups.first(where: { row.id.hasPrefix($0.0) }) else {
            throw CocoaError(.featureUnsupported)
        }
        self = try setup.1(row)
    }

    init(_ scheme: TemplateScheme, _ request: HTTP.Request, _ key: SigningKey) {
        self.scheme = scheme
        self.request = request
        self.key = key
    }

    private static let form: HTTP.Headers = ["Content-Type": "application/x-www-form-urlencoded"]

    private static func weChat(_ row: PublishedExample, _ function: SignatureFunction) -> Self {
        let key = SigningKey(id: row.parameter("mch_id"), secret: row["secret"].utf8)
        var setup = Self(
            .weChatPayV2(function),
            .post(
                "https://pay.example.com/",
                headers: form,
                body: InterceptorKitTests.form(row.pairs())
            ),
            key
        )
        setup.nonce = row.parameter("nonce_str")
        return setup
    }

    private static func taobao(_ row: PublishedExample) throws -> Self {
        let key = SigningKey(id: row.parameter("app_key"), secret: row["secret"].utf8)
        var setup = Self(
            .taobaoTOP,
            .post(
                "https://eco.example.com/rest",
                headers: form,
                body: InterceptorKitTests.form(row.pairs())
            ),
            key
        )
        // The documented clock is eight hours ahead.
        setup.date = try signingDate(row.parameter("timestamp")) - 28_800
        return setup
    }

    private static func aliyunRPC(_ row: PublishedExample) throws -> Self {
        let key = SigningKey(id: row.parameter("AccessKeyId"), secret: row["secret"].utf8)
        let url = HTTP.URL("https://ecs.example.com/").appending(query: row.pairs())
        var setup = Self(.aliyunRPC, HTTP.Request(HTTP.Method(rawValue: row["method"]), url), key)
        setup.date = try signingDate(row.parameter("Timestamp"))
        setup.nonce = row.parameter("SignatureNonce")
        return setup
    }

    private static func acs3(_ row: PublishedExample) throws -> Self {
        let headers = HTTP.Headers(row.pairs("headers"))
        let url = HTTP.URL("https://\(raw: headers["host"] ?? "")/").appending(
            query: row.pairs("query")
        )
        var setup = Self(
            .aliyunACS3,
            HTTP.Request(HTTP.Method(rawValue: row["method"]), url, headers: headers),
            SigningKey(id: row["access_key"], secret: row["secret"].utf8)
        )
        setup.date = try signingDate(headers["x-acs-date"] ?? "")
        setup.nonce = headers["x-acs-signature-nonce"] ?? ""
        return setup
    }

    private static func tc3(_ row: PublishedExample) -> Self {
        let fields = row.canonicalFields
        var setup = Self(
            .tencentTC3(service: "cvm", signing: fields.map(\.0)),
            HTTP.Request(
                HTTP.Method(rawValue: row["method"]),
                HTTP.URL("https://\(raw: row["host"])/"),
                headers: HTTP.Headers(fields),
                body: .text(row["payload"])
            ),
            SigningKey(id: row["secret_id"], secret: row["secret"].utf8)
        )
        setup.date = Date(timeIntervalSince1970: Double(row["timestamp"]) ?? 0)
        return setup
    }

    private static func tencentV1(_ row: PublishedExample) -> Self {
        let url = HTTP.URL("https://cvm.tencentcloudapi.com/").appending(query: row.pairs())
        var setup = Self(
            .tencentV1,
            .get(url),
            SigningKey(id: row.parameter("SecretId"), secret: row["secret"].utf8)
        )
        setup.date = Date(timeIntervalSince1970: Double(row.parameter("Timestamp")) ?? 0)
        setup.nonce = String(Int(row.parameter("Nonce")) ?? 0, radix: 16)
        return setup
    }

    private static func ucloud(_ row: PublishedExample) -> Self {
        Self(
            .ucloud,
            .get(HTTP.URL("https://api.example.com/").appending(query: row.pairs())),
            SigningKey(id: row.parameter("PublicKey"), secret: row["secret"].utf8)
        )
    }

    private static func awsV2(_ row: PublishedExample) throws -> Self {
        let url = HTTP.URL("https://elasticmapreduce.amazonaws.com").appending(query: row.pairs())
        let key = SigningKey(id: row.parameter("AWSAccessKeyId"), secret: row["secret"].utf8)
        var setup = Self(.awsV2(), .get(url), key)
        setup.date = try signingDate(row.parameter("Timestamp"))
        return setup
    }

    private static func objectStore(_ row: PublishedExample) throws -> Self {
        let lines = row.lines
        var fields = [("Content-MD5", lines[1]), ("Content-Type", lines[2]), ("Date", lines[3])]
        fields += lines.dropFirst(4).dropLast().map {
            let sides = $0.split(separator: ":", maxSplits: 1)
            return (String(sides[0]), String(sides[1]))
        }
        var setup = Self(
            row.id.contains("oss") ? .aliyunOSS() : .s3V2(),
            HTTP.Request(
                HTTP.Method(rawValue: lines[0]),
                HTTP.URL("https://storage.example.com\(raw: lines.last ?? "")"),
                headers: HTTP.Headers(fields.filter { !$0.1.isEmpty })
            ),
            SigningKey(id: row["access_key"], secret: row["secret"].utf8)
        )
        let date = lines[3].replacingOccurrences(of: "+0000", with: "GMT")
        setup.date = try #require(HTTP.date(date, now: setup.date))
        return setup
    }

    private static func oauth(_ row: PublishedExample) -> Self {
        var pairs = row.pairs()
        if pairs.isEmpty, let encoded = row.stringToSign.split(separator: "&").last {
            let query = String(encoded).removingPercentEncoding ?? ""
            pairs = HTTP.URL("/?\(raw: query)").queryParameters.map { ($0.name, $0.value) }
        }
        func value(_ name: String) -> String? { pairs.first { $0.0 == name }?.1 }
        let verifier =
            value("oauth_verifier").map { ["oauth_verifier": $0] as KeyValuePairs } ?? [:]
        let own = pairs.filter { !$0.0.hasPrefix("oauth_") }
        let isForm = row["method"] == "POST"
        let url = HTTP.URL(row["url"])
        var setup = Self(
            .oauth1(adding: verifier, hasVersion: value("oauth_version") != nil),
            HTTP.Request(
                HTTP.Method(rawValue: row["method"]),
                isForm ? url : url.appending(query: own),
                headers: isForm ? form : [:],
                body: isForm ? InterceptorKitTests.form(own) : .empty
            ),
            .oauth1(
                consumerKey: value("oauth_consumer_key") ?? "",
                consumerSecret: row["consumer_secret"],
                token: value("oauth_token"),
                tokenSecret: row["token_secret"]
            )
        )
        setup.date = Date(timeIntervalSince1970: Double(value("oauth_timestamp") ?? "") ?? 0)
        setup.nonce = value("oauth_nonce") ?? ""
        return setup
    }

    private static func twilio(_ row: PublishedExample) -> Self {
        Self(
            .twilio,
            .post(HTTP.URL(row["url"]), headers: form, body: InterceptorKitTests.form(row.pairs())),
            SigningKey(id: "AC1", secret: row["secret"].utf8)
        )
    }

    private static func slack(_ row: PublishedExample) -> Self {
        let parts = row.stringToSign.split(separator: ":", maxSplits: 2).map(String.init)
        var setup = Self(
            .slack,
            .post("https://hooks.example.com/", headers: form, body: .text(parts[2])),
            SigningKey(id: "slack", secret: row["secret"].utf8)
        )
        setup.date = Date(timeIntervalSince1970: Double(parts[1]) ?? 0)
        return setup
    }

    private static func github(_ row: PublishedExample) -> Self {
        Self(
            .webhook(),
            .post("https://hooks.example.com/", body: .text(row.stringToSign)),
            SigningKey(id: "github", secret: row["secret"].utf8)
        )
    }

    private static func qiniu(_ row: PublishedExample) -> Self {
        Self(
            .qiniu,
            .post(HTTP.URL("https://rs.example.com\(raw: row.lines[0])")),
            SigningKey(id: "MY_ACCESS_KEY", secret: row["secret"].utf8)
        )
    }

    private static func apisix(_ row: PublishedExample) throws -> Self {
        let fields = row.pairs("signed_headers")
        var setup = Self(
            .apisix(signing: fields.map(\.0)),
            HTTP.Request(
                HTTP.Method(rawValue: row["method"]),
                HTTP.URL("https://gateway.example.com\(raw: row["path"])?\(raw: row["query"])"),
                headers: HTTP.Headers(fields)
            ),
            SigningKey(id: row["access_key"], secret: row["secret"].utf8)
        )
        setup.date = try #require(HTTP.date(row["date"], now: setup.date))
        return setup
    }
}
