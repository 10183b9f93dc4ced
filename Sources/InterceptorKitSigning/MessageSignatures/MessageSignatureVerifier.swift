public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Verifies HTTP Message Signatures (RFC 9421 section 3.2), for servers and for clients of servers that
/// sign.
///
/// ```swift
/// let verifier = MessageSignatureVerifier(keys: keys, nonces: NonceCache())
/// guard try await verifier.isGenuine(.request(request), at: Date()) else { return 401 }
/// ```
public struct MessageSignatureVerifier: Sendable {
    /// How many signatures of one message are looked at: 8.
    static let limit = 8

    let keys: any VerificationKeyStore
    let rules: SignatureRules
    let nonces: (any NonceStore)?

    /// Creates a verifier.
    /// - Parameters:
    ///   - keys: Where keys come from.
    ///   - coverage: What a signature has to cover. Defaults to the usual for requests.
    ///   - algorithms: Which ones are accepted. Defaults to all registered but `rsa-v1_5-sha256`.
    ///   - label: Only the signature of this label counts. Defaults to any.
    ///   - tag: Only signatures for this use count. Defaults to any.
    ///   - maximumAge: How old a signature may be. Defaults to 300 s.
    ///   - clockSkew: How far ahead the signer's clock may be, and behind. Defaults to 30 s.
    ///   - nonces: Where nonces are remembered; then every signature has to have one. Defaults to
    ///     nowhere: within its age, a message may be sent again by anyone who saw it.
    ///   - checksContent: Whether the body is read and compared to a covered `Content-Digest`. Defaults
    ///     to `true`; the body has to be in memory or replayable then. Without, do it while reading.
    public init(
        keys: some VerificationKeyStore,
        requiring coverage: SignatureCoverage = .standard,
        algorithms: Set<SignatureAlgorithm> = [
            .hmacSHA256, .ed25519, .ecdsaP256SHA256, .ecdsaP384SHA384, .rsaPSSSHA512,
        ],
        label: String? = nil,
        tag: String? = nil,
        maximumAge: Duration = .seconds(300),
        clockSkew: Duration = .seconds(30),
        nonces: (any NonceStore)? = nil,
        checksContent: Bool = true
    ) {
        self.keys = keys
        self.nonces = nonces
        rules = SignatureRules(
            coverage: coverage,
            algorithms: algorithms,
            label: label,
            tag: tag,
            maximumAge: maximumAge.inSeconds,
            clockSkew: clockSkew.inSeconds,
            requiresNonce: nonces != nil,
            checksContent: checksContent
        )
    }

    /// Whether a message carries a signature that is accepted: all that the sender may be told.
    /// - Throws: What the stores of keys and nonces throw.
    public func isGenuine(_ message: SignableMessage, at date: Date) async throws -> Bool {
        do {
            _ = try await verify(message, at: date)
            return true
        } catch is SignatureVerificationError {
            return false
        }
    }

    /// The first signature of a message that is accepted.
    /// - Parameters:
    ///   - message: As received.
    ///   - date: The present.
    /// - Throws: ``SignatureVerificationError`` with the reason the first candidate was not accepted, for logs;
    ///   what the stores of keys and nonces throw.
    public func verify(
        _ message: SignableMessage,
        at date: Date
    ) async throws -> VerifiedSignature {
        var refusal: SignatureVerificationError?
        for parsed in try rules.parsedSignatures(of: message) {
            do {
                return try await verify(SignatureCandidate(parsed), of: message, at: date)
            } catch let error as SignatureVerificationError {
                refusal = refusal ?? error
            }
        }
        throw refusal
            ?? SignatureVerificationError(
                .unsigned,
                nil,
                "The message has no signature of the label and tag required."
            )
    }

    private func verify(
        _ candidate: SignatureCandidate,
        of message: SignableMessage,
        at date: Date
    ) async throws -> VerifiedSignature {
        try rules.check(candidate, of: message, at: date)
        let label = candidate.label
        guard let id = candidate.parameters.keyID else {
            throw SignatureVerificationError(
                .missingParameter,
                label,
                "The signature names no key."
            )
        }
        guard let key = try await keys.verificationKey(id: id) else {
            throw SignatureVerificationError(
                .unknownKey,
                label,
                "There is no key \(HTTP.printable(id))."
            )
        }
        let algorithm = key.algorithm
        guard rules.algorithms.contains(algorithm),
            (candidate.parameters.algorithm ?? algorithm) == algorithm
        else {
            throw SignatureVerificationError(
                .algorithm,
                label,
                "The algorithm \(HTTP.printable(algorithm.name)) is not accepted or not what it says."
            )
        }
        let base = try candidate.base(of: message)
        guard key.isValid(candidate.signature, for: base) else {
            throw SignatureVerificationError(
                .mismatch,
                label,
                "The signature is not one of this message with the key \(HTTP.printable(id))."
            )
        }
        try await rules.checkContent(of: message, candidate)
        try await checkNonce(of: candidate, id, at: date)
        return VerifiedSignature(
            label: label,
            keyID: id,
            algorithm: algorithm,
            parameters: candidate.parameters
        )
    }

    // Last, so that only what was verified takes up room.
    private func checkNonce(
        of candidate: SignatureCandidate,
        _ keyID: String,
        at date: Date
    ) async throws {
        guard let nonces, let nonce = candidate.parameters.nonce else { return }
        let expiry = date.addingTimeInterval(rules.maximumAge + 2 * rules.clockSkew)
        switch try await nonces.note(nonce, of: keyID, until: expiry, at: date) {
        case .fresh:
            return
        case .replayed:
            throw SignatureVerificationError(
                .replayed,
                candidate.label,
                "The nonce was used before."
            )
        case .full:
            throw SignatureVerificationError(
                .nonceStoreFull,
                candidate.label,
                "There is no room to remember the nonce."
            )
        }
    }
}

/// A signature that was accepted.
public struct VerifiedSignature: Sendable, Hashable {
    /// Its name within the message.
    public let label: String
    /// The key's name.
    public let keyID: String
    /// How it was made.
    public let algorithm: SignatureAlgorithm
    /// What it covers and says. Rely on nothing else in the message.
    public let parameters: SignatureParameters
}
