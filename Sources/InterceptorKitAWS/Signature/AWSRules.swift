import InterceptorKit
import InterceptorKitSigning

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The rules of a SigV4 verifier that go beyond the signature's value.
struct AWSRules: Sendable {
    let scheme: AWSSignatureV4
    let tolerance: TimeInterval
    let maximumLifetime: TimeInterval
    let checksContent: Bool

    /// Throws unless a signature is for this region and service, and valid at a date.
    func check(_ parsed: AWSSignatureV4.ParsedSignature, at date: Date)
        throws(SignatureVerificationError)
    {
        var scope = CanonicalWriter(capacity: 64)
        scheme.write(scope: parsed.time, to: &scope)
        guard scope.bytes.elementsEqual(parsed.scope.utf8), includesRegion(parsed.regionSet) else {
            throw SignatureVerificationError(
                .component,
                message:
                    "The signature is for another scope: \(HTTP.printable(parsed.scope))."
            )
        }
        let age = date.timeIntervalSince1970 - Double(parsed.time.seconds)
        guard age >= -tolerance else {
            throw SignatureVerificationError(.notYetValid, message: "It was made in the future.")
        }
        guard let lifetime = parsed.lifetime else {
            guard age <= tolerance else {
                throw SignatureVerificationError(.tooOld, message: "It was made too long ago.")
            }
            return
        }
        guard lifetime >= 1, Double(lifetime) <= maximumLifetime else {
            throw SignatureVerificationError(
                .expired,
                message: "The URL is valid for longer than is accepted."
            )
        }
        guard age <= Double(lifetime) else {
            throw SignatureVerificationError(.expired, message: "The URL is no longer valid.")
        }
    }

    /// Whether a set of regions, as in `us-east-1,eu-*`, includes the server's region.
    private func includesRegion(_ set: String?) -> Bool {
        guard let set else { return true }
        return set.split(at: ",").contains { pattern in
            let pattern = HTTP.FieldSyntax.trimmed(String(pattern))
            return pattern.rest(before: "*").map(scheme.region.begins) ?? (scheme.region == pattern)
        }
    }

    /// Returns the covered fields, all of which must be present. Every field that the service interprets must be
    /// covered.
    func fields(
        of request: HTTP.Request,
        _ parsed: AWSSignatureV4.ParsedSignature,
        _ target: CanonicalTarget
    ) throws(SignatureVerificationError) -> CanonicalFields {
        let names = parsed.coveredFields.split(at: ";").map(String.init)
        guard names.count <= request.headers.count + 1 else {
            throw SignatureVerificationError(
                .component,
                message: "More fields are covered than there are."
            )
        }
        let fields = CanonicalFields(of: request, .only(names), host: target.authority)
        var written = CanonicalWriter(capacity: 64)
        fields.writeNames(to: &written)
        // Also checks that `host` is named, and that names are sorted and unique.
        guard written.bytes.elementsEqual(parsed.coveredFields.utf8) else {
            throw SignatureVerificationError(
                .component,
                message:
                    "The covered fields \(HTTP.printable(parsed.coveredFields)) are not those there are."
            )
        }
        let covered = Set(names)
        for field in request.headers where mustBeCovered(field.name.lowercased(), parsed) {
            guard covered.contains(field.name.lowercased()) else {
                throw SignatureVerificationError(
                    .uncovered,
                    message: "It does not cover \(field.name)."
                )
            }
        }
        return fields
    }

    // The sender of a presigned URL adds a content type of its own.
    private func mustBeCovered(_ name: String, _ parsed: AWSSignatureV4.ParsedSignature) -> Bool {
        if name == "content-type" { return parsed.lifetime == nil }
        guard name.begins(with: scheme.names.fieldPrefix) else { return false }
        return scheme.signsToken || name != scheme.names.tokenField.lowercased()
    }

    /// Returns the last line of the canonical request: the stated hash or keyword, or the content's hash.
    func payload(
        of request: HTTP.Request,
        _ parsed: AWSSignatureV4.ParsedSignature
    ) async throws -> String {
        let stated = request.headers.values(scheme.names.contentHashField)
        guard stated.count <= 1 else {
            throw SignatureVerificationError.malformed("Two hashes are stated.")
        }
        let isUnsigned =
            parsed.lifetime == nil
            ? scheme.payload == .unsigned : scheme.payload == .unsigned || !scheme.presignsPayload
        guard let hash = stated.first else {
            if isUnsigned, parsed.lifetime != nil {
                return AWSSignatureV4.unsignedPayload
            }
            return try await hash(of: request)
        }
        let isChunked = if case .chunked = scheme.payload { true } else { false }
        let isAccepted =
            switch hash {
            case AWSSignatureV4.unsignedPayload: isUnsigned
            case scheme.streamingPayload: isChunked && parsed.lifetime == nil
            default: [UInt8](hexadecimal: hash.utf8)?.count == 32
            }
        guard isAccepted else {
            throw SignatureVerificationError(
                .content,
                message:
                    "The content is covered in a way that is not accepted: \(HTTP.printable(hash))."
            )
        }
        return hash
    }

    /// Compares the content with the covered hash that the request states.
    func checkContent(
        of request: HTTP.Request,
        _ payload: String
    ) async throws {
        guard isHashStated(of: request, payload), checksContent || request.body.inMemory != nil
        else { return }
        let hash = try await hash(of: request)
        guard ConstantTime.isEqual(hash.utf8, payload.utf8) else {
            throw SignatureVerificationError(
                .content,
                message: "The content does not match its hash."
            )
        }
    }

    /// Returns the content; unless it was compared before, it is compared while it is read.
    func readContent(
        of request: HTTP.Request,
        _ payload: String
    ) throws -> HTTP.Body {
        guard isHashStated(of: request, payload), !checksContent, request.body.inMemory == nil,
            let hash = [UInt8](hexadecimal: payload.utf8)
        else { return request.body }
        var digests = HTTP.IntegrityDigests()
        digests[.sha256] = hash
        return try request.body.verified(by: digests)
    }

    private func isHashStated(of request: HTTP.Request, _ payload: String) -> Bool {
        request.headers.contains(scheme.names.contentHashField)
            && payload != AWSSignatureV4.unsignedPayload && payload != scheme.streamingPayload
    }

    func validate() throws {
        try scheme.validate()
        try SettingCheck(of: "AWSSignatureV4Verifier")
            .require(tolerance > 0, "tolerance", "\(tolerance) s", "more than zero")
    }

    private func hash(
        of request: HTTP.Request
    ) async throws -> String {
        guard request.body.isReplayable else {
            throw SignatureVerificationError(
                .content,
                message: "The body can be read once. Collect it first, or have its hash stated."
            )
        }
        return try await request.body.hash(by: .sha256).hexadecimal
    }

    func hasToken(of key: VerificationKey, _ parsed: AWSSignatureV4.ParsedSignature) -> Bool {
        guard let token = key.token else { return true }
        return ConstantTime.isEqual(token.utf8, (parsed.token ?? "").utf8)
    }
}
