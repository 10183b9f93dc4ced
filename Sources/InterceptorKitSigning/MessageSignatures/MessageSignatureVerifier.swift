public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A verifier of HTTP Message Signatures (RFC 9421 section 3.2), for servers, and for clients of servers that sign.
///
/// ```swift
/// let verifier = MessageSignatureVerifier(keys: keys, nonces: NonceCache())
/// guard try await verifier.isGenuine(.request(request), at: Date()) else { return 401 }
/// ```
///
/// A message may have at most 8 signatures with at most 64 components each.
public struct MessageSignatureVerifier: Sendable {
    /// The most signatures that a message may have.
    static let limit = 8
    /// The most components that a signature may cover, since each may read another part of the message.
    static let componentLimit = 64

    let keys: any VerificationKeyStore
    let rules: SignatureRules
    let nonces: (any NonceStore)?

    /// Creates a verifier.
    /// - Parameters:
    ///   - keys: The store of keys.
    ///   - coverage: The components that a signature must cover. Defaults to ``SignatureCoverage/standard``.
    ///   - algorithms: The accepted algorithms. Defaults to all registered ones except `rsa-v1_5-sha256`.
    ///   - label: The label of the signature to verify. Defaults to any.
    ///   - tag: The required tag of the signature. Defaults to any.
    ///   - maximumAge: The largest age of a signature. Defaults to 300 s.
    ///   - clockSkew: The largest difference of the signer's clock, ahead or behind. Defaults to 30 s.
    ///   - nonces: The store of used nonces, which makes a nonce mandatory. Defaults to none: within the maximum age,
    ///     anyone who saw a message can replay it.
    ///   - checksContent: Whether to read the body and compare it with a covered `Content-Digest`. Defaults to `true`;
    ///     the body must then be in memory or replayable. With `false`, only a body in memory is compared; verify any
    ///     other body while you read it.
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

    /// Returns whether a message has an accepted signature. Tell the sender no more than this.
    /// - Throws: The errors of the stores for keys and nonces.
    public func isGenuine(_ message: SignableMessage, at date: Date) async throws -> Bool {
        do {
            _ = try await verify(message, at: date)
            return true
        } catch is SignatureVerificationError {
            return false
        }
    }

    /// Returns the first accepted signature of a message.
    /// - Parameters:
    ///   - message: The message as received.
    ///   - date: The current date.
    /// - Throws: ``SignatureVerificationError`` with the reason why the first candidate was refused, which is for logs
    ///   only; the errors of the stores for keys and nonces.
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
                "The signature does not match this message and the key \(HTTP.printable(id))."
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

    // Nonces are checked last, so that only verified messages take up space in the store.
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
                "The nonce store is full."
            )
        }
    }
}

/// An accepted signature.
public struct VerifiedSignature: Sendable, Hashable {
    /// The signature's label within the message.
    public let label: String
    /// The key's id.
    public let keyID: String
    /// The signature's algorithm.
    public let algorithm: SignatureAlgorithm
    /// The covered components and the parameters. Do not trust anything else in the message.
    public let parameters: SignatureParameters
}
