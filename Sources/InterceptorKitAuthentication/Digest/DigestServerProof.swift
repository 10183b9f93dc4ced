import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The contents of `Authentication-Info` after a server accepts a response (RFC 7616 section 3.5).
struct DigestInfo {
    private let parameters: [HTTP.Challenge.Parameter]

    /// Parses the field; an unreadable one counts as empty.
    init(_ headers: HTTP.Headers) {
        parameters =
            headers["Authentication-Info"].flatMap { try? HTTP.Challenge.parseParameters($0) } ?? []
    }

    subscript(name: String) -> String? {
        parameters.first { HTTP.FieldSyntax.isSameName($0.name, name) }?.value
    }

    var nextNonce: String? { self["nextnonce"] }
}

/// The server's proof that it knows the password, with the request's values to check it against.
struct DigestServerProof {
    let given: String
    let protection: DigestChallenge.Protection
    let authorization: DigestAuthorization
    /// Whether the count and nonce that the server repeats, if any, are those of the request.
    private let matchesRequest: Bool

    /// - Returns: `nil` if there is no proof, or the request had no `qop`.
    init?(_ info: DigestInfo, to authorization: DigestAuthorization) {
        guard let given = info["rspauth"], let sent = authorization.protection else { return nil }
        self.given = given.lowercased()
        protection = info["qop"].flatMap { .init(rawValue: $0.lowercased()) } ?? sent
        self.authorization = authorization
        matchesRequest = authorization.matches(count: info["nc"], clientNonce: info["cnonce"])
    }

    /// Whether the proof can be checked. It covers content as sent, which an engine may have decoded.
    func isCheckable(with headers: HTTP.Headers) -> Bool {
        protection == .auth || !headers.contains("Content-Encoding")
    }

    /// Returns the response, or throws if the proof is wrong. A proof of streamed content is checked at its end.
    func checked(_ response: HTTP.Response) async throws -> HTTP.Response {
        guard matchesRequest else { throw TokenError.wrongServerProof }
        guard protection == .authInt else {
            try check(nil)
            return response
        }
        guard !response.body.isReplayable else {
            try check(try await response.body.hash(by: authorization.challenge.hash))
            return response
        }
        var response = response
        response.body = response.body.wrapping { ProvenStream($0, self) }
        return response
    }

    fileprivate func check(_ hash: HashAlgorithm.Digest?) throws(TokenError) {
        let right = authorization.serverProof(of: protection, hash?.hexadecimal)
        guard ConstantTime.isEqual(given.utf8, right.utf8) else { throw .wrongServerProof }
    }
}

/// A stream that hashes its content and checks the server's proof at the end.
private final class ProvenStream: HTTP.BodyStream, @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: a body lets one reader at a time call `next`, and that alone touches it.
    private var hash: RunningHash

    private let base: any HTTP.BodyStream
    private let proof: DigestServerProof

    init(_ base: any HTTP.BodyStream, _ proof: DigestServerProof) {
        hash = RunningHash(proof.authorization.challenge.hash)
        self.base = base
        self.proof = proof
    }

    nonisolated(nonsending) func next() async throws -> Data? {
        if let chunk = try await base.next() {
            hash.update(chunk)
            return chunk
        }
        try proof.check(hash.finalize())
        return nil
    }

    func cancel() { base.cancel() }
}
