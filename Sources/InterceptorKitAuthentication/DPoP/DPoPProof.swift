import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A proof for one request that its sender has a key (RFC 9449 section 4.2).
struct DPoPProof {
    private struct Header: Encodable {
        var typ = "dpop+jwt"
        var alg: String
        var jwk: [String: String]
    }

    private struct Claims: Encodable {
        var jti: String
        var htm: String
        var htu: String
        var iat: Int
        var ath: String?
        var nonce: String?
    }

    let key: DPoPKey
    let request: HTTP.Request
    /// The server's nonce, if it has sent one.
    let nonce: String?

    /// Returns the proof as a JSON Web Signature (RFC 7515 section 3.1).
    /// - Parameters:
    ///   - date: The date of the proof.
    ///   - id: A unique id.
    func text(at date: Date, id: [UInt8]) throws -> String {
        let header = Header(alg: try key.algorithmName, jwk: key.publicKey.members)
        let claims = Claims(
            jti: Base64URL.encode(id),
            htm: request.method.rawValue,
            htu: target,
            iat: Int(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0,
            ath: tokenHash,
            nonce: nonce
        )
        return try JSONWebSignature.text(header, claims) { try key.signer.signature(of: $0) }
    }

    // The URL without query and fragment.
    private var target: String {
        let url = request.url.normalized
        let path = url.path.isEmpty ? "/" : url.path
        return "\(url.origin?.description ?? "")\(path)"
    }

    private var tokenHash: String? {
        guard let value = request.headers["Authorization"],
            let blank = value.unicodeScalars.firstIndex(of: " "),
            HTTP.FieldSyntax.isSameName(String(value[..<blank]), "DPoP")
        else { return nil }
        let token = HTTP.FieldSyntax.trimmed(String(value[blank...]))
        return Base64URL.encode(HashAlgorithm.sha256.hash(token.utf8))
    }
}
