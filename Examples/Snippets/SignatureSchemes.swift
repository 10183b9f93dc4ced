// What the guide SignatureSchemes shows.
import InterceptorKit
import InterceptorKitSigning

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

func cloud(_ keys: some SigningKeyStore) -> SignInterceptor {
    // snippet.cloud
    let sign = SignInterceptor(RequestSigner(.aliyunACS3, keys: keys))
    // snippet.end
    return sign
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
