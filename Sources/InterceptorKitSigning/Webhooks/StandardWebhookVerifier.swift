public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Verifies webhooks by the Standard Webhooks specification 1.0.0, for receivers.
///
/// ```swift
/// let verifier = StandardWebhookVerifier(
///     keys: [try VerificationKey(id: "billing", webhookSecret: secret)],
///     nonces: NonceCache()
/// )
/// let verify = VerifyInterceptor(.standardWebhook(verifier))
/// ```
///
/// A webhook is accepted if one of its signatures is right by one of the keys, so that a sender can change its
/// key: receivers list the old one and the new one meanwhile. Signatures of other versions are ignored. Times
/// further away than the tolerance, in the past or the future, are refused.
///
/// **Replays.** With a store of nonces, one attempt of a sender, its id with its timestamp, is accepted once. A
/// sender that sends an event again does so with a new timestamp: that is accepted, or an event whose first
/// attempt failed would be lost. To process each event once, put an `IdempotencyInterceptor` of
/// `InterceptorKitSharedState` below, with the field `webhook-id`. For several replicas, take a nonce store
/// that they share.
///
/// **The sender.** Below a `VerifyInterceptor`, `Call.verifiedKeyID` is the id of the first key, whichever of them
/// signed: an event whose first attempt was signed by the old key and whose second by the new one comes from one
/// sender, and is processed once. Give all keys of a sender its name as their id, so that this stays when the old
/// one is removed.
public struct StandardWebhookVerifier: Sendable {
    private static let longestList = 32

    private let keys: [VerificationKey]
    private let nonces: (any NonceStore)?
    private let tolerance: Duration

    /// Creates a verifier.
    /// - Parameters:
    ///   - keys: The sender's keys: one, or those it changes between.
    ///   - nonces: The store of used nonces. Defaults to none: within the tolerance, anyone who saw a webhook
    ///     can send it again.
    ///   - tolerance: The largest distance of a webhook's time from the current one. Defaults to 300 s, as in
    ///     the specification's libraries.
    public init(
        keys: [VerificationKey],
        nonces: (any NonceStore)? = nil,
        tolerance: Duration = .seconds(300)
    ) {
        self.keys = keys
        self.nonces = nonces
        self.tolerance = tolerance
    }

    /// What the sender is known by, whichever of its keys it signs with.
    fileprivate var senderID: String? { keys.first?.id }

    /// Verifies a webhook.
    /// - Parameters:
    ///   - request: The request as received, with its content in memory.
    ///   - date: The current date.
    /// - Returns: The webhook's id, time and key.
    /// - Throws: ``SignatureVerificationError``, and what the store of nonces throws.
    public func verify(_ request: HTTP.Request, at date: Date) async throws -> VerifiedWebhook {
        let id = try field("webhook-id", of: request)
        let timestamp = try field("webhook-timestamp", of: request)
        let signatures = try field("webhook-signature", of: request)
        guard WebhookMessage.isID(id) else {
            throw SignatureVerificationError(
                .malformed,
                nil,
                "The field webhook-id has a full stop, a blank or another character that ids do not have."
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
        // Of all keys: who sees a webhook with two signatures could send it again with the other one. In one
        // order, so that of two replicas which get it at once, the first to note one notes the others too.
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
        // As it is signed: digits alone, of seconds for some thousand years.
        guard 1...12 ~= text.utf8.count, text.utf8.allSatisfy({ 48...57 ~= $0 }),
            let seconds = Double(text)
        else {
            throw SignatureVerificationError(
                .malformed,
                nil,
                "The field webhook-timestamp is not a number of seconds."
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

    /// The key that made one of the signatures.
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
            // One spelling alone, so that a signature cannot be varied.
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

/// A webhook that was verified.
public struct VerifiedWebhook: Sendable, Hashable {
    /// The event's id, the same however often it is sent.
    public let id: String
    /// When this attempt was sent.
    public let date: Date
    /// The id of the key that signed it.
    public let keyID: String
}

extension RequestVerification {
    /// Returns a verification for webhooks by the Standard Webhooks specification.
    public static func standardWebhook(_ verifier: StandardWebhookVerifier) -> Self {
        RequestVerification(challenge: "Signature") { request, date in
            let webhook = try await verifier.verify(request, at: date)
            return Verified(
                keyID: verifier.senderID ?? webhook.keyID,
                content: request.body
            )
        }
    }
}
