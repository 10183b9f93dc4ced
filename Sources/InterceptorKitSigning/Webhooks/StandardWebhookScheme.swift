public import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The signature scheme of the Standard Webhooks specification 1.0.0, for senders.
///
/// ```swift
/// var policy = RetryPolicy<HTTP.Request>.idempotent
/// policy.backoff = Backoff(base: .seconds(5), jitter: .equal)
/// let client = try HTTP.Client(transport: transport) {
///     RetryInterceptor(policy: policy)
///     SignInterceptor(RequestSigner(.standardWebhook, key: key))
/// }
/// var delivery = HTTP.Request.post(endpoint, body: .bytes(event))
/// delivery.headers["webhook-id"] = "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W"
/// let response = try await client.send(delivery)
/// ```
///
/// `webhook-id` is the id of the event. Set it above the retry: it stays the same however often the event is sent, and
/// receivers recognise a repetition by it, so that a delivery may be sent again. Leave at least a second between
/// attempts: two attempts within one second have the same timestamp, and receivers take the second one for a replay.
/// For each attempt, the scheme adds a new `webhook-timestamp`, and `webhook-signature` over id, timestamp and content.
/// The content must be in memory.
///
/// A key with a secret signs with HMAC-SHA256 (`v1`), an Ed25519 private key with Ed25519 (`v1a`). Use a separate key
/// for each endpoint: everyone who has a secret can sign with it.
///
/// To replace a key without refusals, sign with the new key and also with the old one for as long as receivers may have
/// only that: ``init(alsoSigningWith:fieldPrefix:)``.
///
/// Services that name the fields after themselves, such as `svix-id`, have another prefix:
/// `StandardWebhookScheme(fieldPrefix: "svix")`.
public struct StandardWebhookScheme: SignatureScheme {
    private let olderKeys: [SigningKey]
    private let fields: WebhookFields

    /// Creates a scheme.
    /// - Parameters:
    ///   - olderKeys: Further keys to sign with while receivers change to the new key. Defaults to none.
    ///   - fieldPrefix: The beginning of the three fields' names, before `-id`, `-timestamp` and `-signature`, such as
    ///     `svix`. Building a pipeline fails if it isn't a token, or ends with a hyphen. Defaults to `webhook`, as in
    ///     the specification.
    public init(alsoSigningWith olderKeys: [SigningKey] = [], fieldPrefix: String = "webhook") {
        self.olderKeys = olderKeys
        fields = WebhookFields(prefix: fieldPrefix)
    }

    public var signatureFields: [String] { [fields.timestamp, fields.signature] }

    public func bodyHash(for request: HTTP.Request) -> HashAlgorithm? { nil }

    public func coveredFields(of request: HTTP.Request) -> [String] { [fields.id] }

    public func validate() throws {
        try fields.validate(of: "StandardWebhookScheme")
        for key in olderKeys { try key.validate() }
    }

    public func sign(_ request: HTTP.Request, _ context: SigningContext) throws -> HTTP.Request {
        guard let content = request.body.inMemory else {
            throw SigningError(
                .unsignableBody,
                "A webhook's content is signed as it is, so it has to be in memory. Collect the body first."
            )
        }
        let ids = request.headers.values(fields.id)
        guard ids.count == 1, let id = ids.first, WebhookMessage.isID(id) else {
            throw SigningError(
                .missingField,
                "A webhook needs one field \(fields.id) of 1 to 200 printable ASCII characters without full "
                    + "stops and blanks. Set it to the event's id above the retry, so that it stays the same."
            )
        }
        let message = WebhookMessage(id: id, timestamp: "\(context.timestamp)", content: content)
        var signed = request
        signed.headers[fields.timestamp] = message.timestamp
        signed.headers[fields.signature] = try ([context.key] + olderKeys)
            .map(message.signature(by:)).joined(separator: " ")
        return signed
    }
}

extension SignatureScheme where Self == StandardWebhookScheme {
    /// The scheme of the Standard Webhooks specification, with one key.
    public static var standardWebhook: StandardWebhookScheme { StandardWebhookScheme() }
}
