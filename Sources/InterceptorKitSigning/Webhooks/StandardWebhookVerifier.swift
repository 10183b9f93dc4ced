public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A verifier of webhooks by the Standard Webhooks specification 1.0.0, for receivers.
///
/// ```swift
/// let verifier = StandardWebhookVerifier(
///     keys: [try VerificationKey(id: "billing", webhookSecret: secret)],
///     nonces: NonceCache()
/// )
/// let verify = VerifyInterceptor(.standardWebhook(verifier))
/// ```
///
/// A webhook is accepted if one of its signatures is correct for one of the keys. While a sender replaces its key, list
/// both the old and the new one. Signatures of unknown versions are ignored. Timestamps that differ from the current
/// time by more than the tolerance, in the past or the future, are refused.
///
/// **Replays.** With a nonce store, each attempt of a sender (its id with its timestamp) is accepted once. When a
/// sender sends an event again, the attempt has a new timestamp and is accepted; otherwise an event whose first attempt
/// failed would be lost. To process each event once, put an `IdempotencyInterceptor` of `InterceptorKitSharedState`
/// below, with the field `webhook-id` (`svix-id` with that prefix). Several replicas need a shared nonce store.
///
/// **The sender.** Below a `VerifyInterceptor`, the subject of `Call.principal` is always the id of the first key,
/// whichever key signed: attempts of one event that the old and the new key signed come from one sender, and the event
/// is processed once. Give all keys of a sender its name as their id, so that the id stays the same when the old key is
/// removed.
public struct StandardWebhookVerifier: Sendable {
    private static let longestList = 32

    private let keys: [VerificationKey]
    private let nonces: (any NonceStore)?
    private let tolerance: Duration
    fileprivate let fields: WebhookFields

    /// Creates a verifier.
    /// - Parameters:
    ///   - keys: The sender's keys: one, or several while the sender replaces its key.
    ///   - nonces: The store of used nonces. Defaults to none: webhooks can be replayed within the tolerance.
    ///   - tolerance: The largest difference between a webhook's time and the current time. Defaults to 300 s, as in
    ///     the specification's libraries.
    ///   - fieldPrefix: The beginning of the three fields' names, before `-id`, `-timestamp` and `-signature`, such as
    ///     `svix`. Building a pipeline fails if it isn't a token, or ends with a hyphen. Defaults to `webhook`, as in
    ///     the specification; fields with another prefix do not count.
    public init(
        keys: [VerificationKey],
        nonces: (any NonceStore)? = nil,
        tolerance: Duration = .seconds(300),
        fieldPrefix: String = "webhook"
    ) {
        self.keys = keys
        self.nonces = nonces
        self.tolerance = tolerance
        fields = WebhookFields(prefix: fieldPrefix)
    }

    /// The sender's identity, whichever of its keys signed.
    fileprivate var senderID: String? { keys.first?.id }

    /// Verifies a webhook.
    /// - Parameters:
    ///   - request: The request as received, with its content in memory.
    ///   - date: The current date.
    /// - Returns: The webhook's id, time and key.
    /// - Throws: ``SignatureVerificationError``, and the errors of the nonce store.
    public func verify(_ request: HTTP.Request, at date: Date) async throws -> VerifiedWebhook {
        let id = try field(fields.id, of: request)
        let timestamp = try field(fields.timestamp, of: request)
        let signatures = try field(fields.signature, of: request)
        guard WebhookMessage.isID(id) else {
            throw SignatureVerificationError(
                .malformed,
                nil,
                "The field \(fields.id) has a full stop, a blank or another character that ids do not have."
            )
        }
        guard let content = request.body.inMemory else {
            throw SignatureVerificationError(.content, nil, "The content is not in memory.")
        }
        let time = try time(timestamp, at: date)
        let message = WebhookMessage(id: id, timestamp: timestamp, content: content).signedBytes
        guard let key = try key(of: signatures, for: message) else {
            throw SignatureVerificationError(
                .mismatch,
                nil,
                "None of the signatures was made for this webhook by one of the keys."
            )
        }
        // The attempt is noted under all key ids: anyone who sees a webhook with two signatures could replay it with
        // the other one. The order is fixed, so that of two replicas that get it at once, the first to note one id
        // notes the others too.
        for keyID in Set(keys.map(\.id)).sorted() {
            try await nonces?.accept("\(id).\(timestamp)", of: keyID, tolerance, at: date)
        }
        return VerifiedWebhook(id: id, date: time, keyID: key.id)
    }

    private func field(
        _ name: String,
        of request: HTTP.Request
    ) throws(SignatureVerificationError) -> String {
        let values = request.headers.values(name)
        guard let value = values.first, values.count == 1, !value.isEmpty else {
            throw SignatureVerificationError(
                values.count > 1 ? .malformed : .unsigned,
                nil,
                "A webhook has one field \(name), and this one has \(values.count)."
            )
        }
        return value
    }

    private func time(
        _ text: String,
        at date: Date
    ) throws(SignatureVerificationError) -> Date {
        // Only the spelling that is signed: digits, at most twelve.
        guard 1...12 ~= text.utf8.count, text.utf8.allSatisfy({ 48...57 ~= $0 }),
            let seconds = Double(text)
        else {
            throw SignatureVerificationError(
                .malformed,
                nil,
                "The field \(fields.timestamp) is not a number of seconds."
            )
        }
        let age = date.timeIntervalSince1970 - seconds
        if age > tolerance.inSeconds {
            throw SignatureVerificationError(.tooOld, nil, "The webhook is too old.")
        }
        if age < -tolerance.inSeconds {
            throw SignatureVerificationError(
                .notYetValid,
                nil,
                "The webhook's time is in the future. Compare the clocks of sender and receiver."
            )
        }
        return Date(timeIntervalSince1970: seconds)
    }

    /// Returns the key that made one of the signatures.
    private func key(
        of list: String,
        for message: [UInt8]
    ) throws(SignatureVerificationError) -> VerificationKey? {
        let elements = list.split(at: " ")
        guard elements.count <= Self.longestList else {
            throw SignatureVerificationError(
                .tooManySignatures,
                nil,
                "The webhook has more than \(Self.longestList) signatures."
            )
        }
        for element in elements {
            let version = element.beginning(before: ",")
            guard let text = element[version.endIndex...].rest(after: ",").map(String.init) else {
                continue
            }
            // Only the canonical encoding is accepted, so that a signature cannot be varied.
            guard let signature = Data(base64Encoded: text),
                signature.base64EncodedString() == text
            else { continue }
            let algorithm: SignatureAlgorithm
            switch version {
            case "v1": algorithm = .hmacSHA256
            case "v1a": algorithm = .ed25519
            default: continue
            }
            for key in keys where key.algorithm == algorithm {
                if key.isValid(Array(signature), for: message) { return key }
            }
        }
        return nil
    }
}

/// A verified webhook.
public struct VerifiedWebhook: Sendable, Hashable {
    /// The event's id, which is the same in every attempt.
    public let id: String
    /// The time of this attempt.
    public let date: Date
    /// The id of the key that signed the webhook.
    public let keyID: String
}

extension RequestVerification {
    /// Returns a verification for webhooks by the Standard Webhooks specification.
    public static func standardWebhook(_ verifier: StandardWebhookVerifier) -> Self {
        RequestVerification(
            challenge: "Signature",
            validate: { try verifier.fields.validate(of: "StandardWebhookVerifier") }
        ) { request, date in
            let webhook = try await verifier.verify(request, at: date)
            return Verified(
                keyID: verifier.senderID ?? webhook.keyID,
                content: request.body
            )
        }
    }
}
