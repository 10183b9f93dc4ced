import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a server says in `Authentication-Info` once it has accepted a response (RFC 7616 section 3.5).
struct DigestInfo {
    private let parameters: [HTTP.Challenge.Parameter]

    /// What cannot be read says nothing.
    init(_ headers: HTTP.Headers) {
        parameters =
            headers["Authentication-Info"].flatMap { try? HTTP.Challenge.parseParameters($0) } ?? []
    }

    subscript(name: String) -> String? {
        parameters.first { HTTP.FieldSyntax.isSameName($0.name, name) }?.value
    }

    var nextNonce: String? { self["nextnonce"] }
}

/// The server's proof that it knows the password, which is to be compared with the right one.
struct DigestServerProof {
    let given: String
    let protection: DigestChallenge.Protection
    let authorization: DigestAuthorization
    /// Whether it repeats the count and nonce of the response, as far as it says any.
    private let isOfResponse: Bool

    /// - Returns: `nil` if there is none: it was not sent, or the response is to a request without `qop`.
    init?(_ info: DigestInfo, to authorization: DigestAuthorization) {
        guard let given = info["rspauth"], let sent = authorization.protection else { return nil }
        self.given = given.lowercased()
        protection = info["qop"].flatMap { .init(rawValue: $0.lowercased()) } ?? sent
        self.authorization = authorization
        isOfResponse = authorization.isMeant(byCount: info["nc"], info["cnonce"])
    }

    /// Whether it can be compared: of content only as it was sent, which an engine may have decoded.
    func isCheckable(with headers: HTTP.Headers) -> Bool {
        protection == .auth || !headers.contains("Content-Encoding")
    }

    /// The response, unless its proof is wrong; content that is still to come is compared at its end.
    func checked(_ response: HTTP.Response) async throws -> HTTP.Response {
        guard isOfResponse else { throw TokenError.wrongServerProof }
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

/// Hashes content as it passes and compares the server's proof of it at the end.
private final class ProvenStream: HTTP.BodyStream, @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: a body lets one reader at a time call `next`, and that
    // alone touches it.
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
