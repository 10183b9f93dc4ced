// What the guide SignatureSchemes shows.
import InterceptorKit
import InterceptorKitSigning

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

func aws(_ keys: some SigningKeyStore) -> SignInterceptor {
    // snippet.aws
    let sign = SignInterceptor(
        RequestSigner(.aws(service: "execute-api", region: "eu-west-1"), keys: keys)
    )
    // snippet.end
    return sign
}

struct Credentials {
    var accessKey: String
    var secretKey: String
    var sessionToken: String?
}

func presigned(_ credentials: Credentials, _ date: Date) throws -> HTTP.URL {
    // snippet.token
    var key = SigningKey(id: credentials.accessKey, secret: credentials.secretKey.utf8)
    key.token = credentials.sessionToken
    // snippet.presigned
    let url = try AWSSignatureV4.s3(region: "eu-west-1").presignedURL(
        for: .get("https://bucket.s3.eu-west-1.amazonaws.com/report.pdf"),
        SigningContext(key: key, freshness: SignatureFreshness(date: date, nonce: "")),
        validFor: .seconds(900)
    )
    // snippet.end
    return url
}

func ownScheme() -> TemplateScheme {
    // snippet.template
    let scheme = TemplateScheme(
        adding: [
            .parameter("app", "\(.keyID)"),
            .parameter("ts", "\(.time(.seconds))"),
        ],
        signing: "\(.method)\n\(.path)\n\(.parameters())\n\(.bodyHash(.sha256))",
        with: .hmac(.sha256),
        as: .base64,
        in: .field("X-Sign", "v1=\(.signature)")
    )
    // snippet.end
    return scheme
}

func sortedParameters() -> TemplateScheme {
    // snippet.sorted
    let scheme = TemplateScheme(
        adding: [.form("app_key", "\(.keyID)"), .form("nonce", "\(.nonce)")],
        signing: "\(.parameters())&key=\(.secret)",
        with: .hash(.md5),
        as: .uppercaseHexadecimal,
        in: .form("sign", "\(.signature)")
    )
    // snippet.end
    return scheme
}

func isGenuine(
    _ received: HTTP.Request,
    by scheme: TemplateScheme,
    keys: some SigningKeyStore
) async throws -> Bool {
    // snippet.verify
    guard let id = scheme.keyID(of: received), let key = try await keys.key(id: id) else {
        return false
    }
    return scheme.isGenuine(received, with: key, date: Date())
    // snippet.end
}

enum WebhookError: Error {
    case wrongSignature, wrongTime, notReadable
}

func verify(_ content: Data, field: String, with key: SigningKey) throws {
    // snippet.webhook
    let request = HTTP.Request.post(
        "https://webhook.invalid/",
        headers: ["Stripe-Signature": field],
        body: .bytes(content)
    )
    do {
        try TemplateScheme.stripe().verify(request, with: key, date: Date())
    } catch {
        switch error.code {
        case .mismatch: throw WebhookError.wrongSignature
        case .tooOld, .notYetValid: throw WebhookError.wrongTime
        default: throw WebhookError.notReadable
        }
    }
    // snippet.end
}

struct AccessKeys {
    let accessKeys: FixedVerificationKeys

    // snippet.awsVerifier
    func content(of request: HTTP.Request, at date: Date) async throws -> HTTP.Body? {
        let verifier = AWSSignatureV4Verifier(.s3(region: "eu-west-1"), keys: accessKeys)
        do {
            return try await verifier.verify(request, at: date).content
        } catch let refusal as SignatureVerificationError {
            print(refusal.code, refusal.message)  // For the log; the client hears 403 and no more.
            return nil
        }
    }
    // snippet.end
}

func status(
    of request: HTTP.Request,
    keys: some VerificationKeyStore
) async throws -> HTTP.Status {
    // snippet.genuine
    let verifier = AWSSignatureV4Verifier(.s3(region: "eu-west-1"), keys: keys)
    guard try await verifier.isGenuine(request, at: Date()) else { return 403 }
    // snippet.end
    return 200
}

func text() -> SignatureTemplate {
    // snippet.text
    let text: SignatureTemplate = "v0:\(.time(.seconds)):\(.body)"
    // snippet.end
    return text
}

func webhook() -> TemplateScheme {
    // snippet.webhook
    let scheme = TemplateScheme(
        adding: [.field("X-Slack-Request-Timestamp", "\(.time(.seconds))")],
        signing: "v0:\(.time(.seconds)):\(.body)",
        with: .hmac(.sha256),
        as: .hexadecimal,
        in: .field("X-Slack-Signature", "v0=\(.signature)")
    )
    // snippet.end
    return scheme
}
