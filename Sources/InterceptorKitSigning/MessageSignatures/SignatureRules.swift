import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One signature of a message, as received.
struct ReceivedSignature {
    let label: String
    let input: HTTP.StructuredField.Member
    let signature: HTTP.StructuredField.Member?
}

/// One signature of a message, parsed but not yet verified.
struct SignatureCandidate {
    let label: String
    let parameters: SignatureParameters
    let signature: [UInt8]

    init(_ parsed: ReceivedSignature) throws(SignatureVerificationError) {
        label = parsed.label
        if case .innerList(let list) = parsed.input,
            list.items.count > MessageSignatureVerifier.componentLimit
        {
            throw SignatureVerificationError(
                .component,
                label,
                "It covers \(list.items.count) components; at most "
                    + "\(MessageSignatureVerifier.componentLimit) are accepted."
            )
        }
        do {
            parameters = try SignatureParameters(parsed.input)
            try parameters.validateTypes()
        } catch {
            throw SignatureVerificationError(.malformed, parsed.label, error.message)
        }
        guard let bytes = parsed.signature?.value?.bytes else {
            throw SignatureVerificationError(
                .malformed,
                parsed.label,
                "There is no signature to its parameters."
            )
        }
        signature = bytes
    }

    func base(of message: SignableMessage) throws(SignatureVerificationError) -> [UInt8] {
        do {
            return try SignatureBase(of: message, parameters).bytes
        } catch {
            throw SignatureVerificationError(.component, label, error.message)
        }
    }
}

/// The requirements of a verifier beyond a correct signature.
struct SignatureRules: Sendable {
    let coverage: SignatureCoverage
    let algorithms: Set<SignatureAlgorithm>
    let label: String?
    let tag: String?
    let maximumAge: TimeInterval
    let clockSkew: TimeInterval
    let requiresNonce: Bool
    let checksContent: Bool

    /// Throws if the settings cannot accept any signature.
    func validate() throws(SettingError) {
        let check = SettingCheck(of: "MessageSignatureVerifier")
        try check.require(!algorithms.isEmpty, "algorithms", "empty", "one or more")
        try check.require(maximumAge >= 0, "maximumAge", "\(maximumAge) s", "at least zero")
        try check.require(clockSkew >= 0, "clockSkew", "\(clockSkew) s", "at least zero")
        try check.require(
            label.map { !$0.isEmpty } ?? true,
            "label",
            "empty",
            "a label of signatures, or nil for any"
        )
    }

    /// Returns the signatures with the required label and tag, as received.
    func parsedSignatures(of message: SignableMessage) throws(SignatureVerificationError)
        -> [ReceivedSignature]
    {
        let inputs: HTTP.StructuredField.Dictionary
        let signatures: HTTP.StructuredField.Dictionary
        do {
            inputs = try message.headers.structuredDictionary("Signature-Input") ?? [:]
            signatures = try message.headers.structuredDictionary("Signature") ?? [:]
        } catch {
            throw SignatureVerificationError(.malformed, nil, error.message)
        }
        let limit = MessageSignatureVerifier.limit
        guard inputs.count <= limit else {
            throw SignatureVerificationError(
                .tooManySignatures,
                nil,
                "The message has \(inputs.count) signatures; at most \(limit) are accepted."
            )
        }
        return inputs.compactMap { name, member in
            guard label == nil || label == name,
                tag == nil || member.parameters["tag"]?.string == tag
            else { return nil }
            return ReceivedSignature(label: name, input: member, signature: signatures[name])
        }
    }

    func check(
        _ candidate: SignatureCandidate,
        of message: SignableMessage,
        at date: Date
    ) throws(SignatureVerificationError) {
        let label = candidate.label
        let covered = Set(candidate.parameters.components)
        for component in coverage.components(for: message) where !covered.contains(component) {
            throw SignatureVerificationError(.uncovered, label, "It does not cover \(component).")
        }
        try checkTime(of: candidate, date.timeIntervalSince1970)
        guard requiresNonce else { return }
        guard let nonce = candidate.parameters.nonce, 1...256 ~= nonce.utf8.count else {
            throw SignatureVerificationError(
                .missingParameter,
                label,
                "It has no nonce of 1 to 256 bytes, and nonces are remembered here."
            )
        }
    }

    private func checkTime(
        of candidate: SignatureCandidate,
        _ now: TimeInterval
    ) throws(SignatureVerificationError) {
        let label = candidate.label
        guard let created = candidate.parameters.created.map(Double.init) else {
            throw SignatureVerificationError(
                .missingParameter,
                label,
                "It does not say when it was made."
            )
        }
        guard now - created <= maximumAge + clockSkew else {
            throw SignatureVerificationError(
                .tooOld,
                label,
                "It was made \(Int(now - created)) s ago."
            )
        }
        guard created - now <= clockSkew else {
            throw SignatureVerificationError(
                .notYetValid,
                label,
                "It was made \(Int(created - now)) s in the future."
            )
        }
        if let expires = candidate.parameters.expires.map(Double.init), now > expires + clockSkew {
            throw SignatureVerificationError(
                .expired,
                label,
                "It expired \(Int(now - expires)) s ago."
            )
        }
    }

    /// Whether the verifier itself compares content with its digest, as it always does for content in memory.
    func comparesContent(of body: HTTP.Body) -> Bool { checksContent || body.inMemory != nil }

    func checkContent(
        of message: SignableMessage,
        _ candidate: SignatureCandidate
    ) async throws {
        guard comparesContent(of: message.body),
            candidate.parameters.components.contains(where: \.isContentDigest)
        else { return }
        let label = candidate.label
        guard message.body.isReplayable else {
            throw SignatureVerificationError(
                .content,
                label,
                "The body can be read once. Collect it first, or verify its digest while reading."
            )
        }
        do {
            let digests = try HTTP.IntegrityDigests(
                parsing: message.headers["Content-Digest"] ?? ""
            )
            for try await _ in try message.body.verified(by: digests) {}
        } catch let error as HTTP.ContentError where error.code != .unreadableFile {
            throw SignatureVerificationError(.content, label, error.message)
        }
    }
}
