#if JWT
import InterceptorKit
import InterceptorKitAuthentication

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A JSON Web Signature in its compact form (RFC 7515 section 3.1), read so that no other reader can find something else
/// in it: base64url by the letter, JSON without repeated names, and no extension that is ignored.
struct CompactSignature {
    /// The greatest length of a token in bytes: that of all fields of a request in common servers.
    static let sizeLimit = 16 * 1024
    /// The greatest depth of header and claims; those of known issuers have at most 5.
    private static let depthLimit = 32

    /// The name of the algorithm that the sender claims to have used.
    let algorithm: String
    /// The media type (`typ`); `nil` if there is none.
    let type: String?
    /// The id of the key; `nil` if there is none.
    let keyID: String?
    /// All of the header.
    let header: [String: JSONValue]
    let claims: Claims
    /// The payload's bytes.
    let payload: Data
    private let signed: [UInt8]
    private let signature: [UInt8]

    /// Reads a signature.
    /// - Parameters:
    ///   - text: The text.
    ///   - subject: The kind of token, in errors.
    ///   - code: The error's code if the text is not such a signature.
    init(
        _ text: String,
        _ subject: String = "token",
        malformed code: AccessTokenError.Code = .malformed
    ) throws(AccessTokenError) {
        func malformed(_ rule: String) -> AccessTokenError {
            AccessTokenError(code, "The \(subject) \(rule).")
        }
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.sizeLimit else {
            let isToken = code == .malformed
            throw AccessTokenError(
                isToken ? .tooLong : code,
                "The \(subject) has \(bytes.count) bytes, and at most \(Self.sizeLimit) are read."
            )
        }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            throw malformed(
                "has \(parts.count) parts; a signed one in the compact form has three, and an encrypted "
                    + "one is not accepted"
            )
        }
        guard let headerBytes = Base64URL.decode(parts[0]),
            let payloadBytes = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { throw malformed("is not in base64url without padding") }
        let payload = Data(payloadBytes)
        guard
            case .object(let header)? = JSONValue(
                exactly: Data(headerBytes),
                depth: Self.depthLimit
            ), case .object(let claims)? = JSONValue(exactly: payload, depth: Self.depthLimit)
        else {
            throw malformed(
                "is not made of two JSON objects of at most \(Self.depthLimit) levels without repeated names"
            )
        }
        // What may change the meaning of the rest, and none of it is known here.
        guard header["crit"] == nil, header["b64"] == nil else {
            throw AccessTokenError(
                code == .malformed ? .critical : code,
                "The \(subject) has extensions that must be understood (RFC 7515 section 4.1.11)."
            )
        }
        guard case .string(let algorithm)? = header["alg"] else {
            throw malformed("names no algorithm")
        }
        self.algorithm = algorithm
        let texts = Claims(header, subject, malformed: code)
        type = try texts.text("typ")
        keyID = try texts.text("kid")
        self.header = header
        self.claims = Claims(claims, subject, malformed: code)
        self.payload = payload
        self.signature = signature
        signed = Array(bytes[..<parts[1].endIndex])
    }

    /// Returns whether the media type is one of some, which may lack `application/` (RFC 7515 section 4.1.9).
    /// - Parameter types: The types in lower case and without `application/`; empty for a token without a type.
    func isType(in types: Set<String>) -> Bool {
        types.contains { name in
            guard let type else { return name.isEmpty }
            return HTTP.FieldSyntax.isSameName(type, name)
                || HTTP.FieldSyntax.isSameName(type, "application/\(name)")
        }
    }

    /// Returns whether a key made the signature.
    func isMade(by key: VerificationKey) -> Bool {
        key.made(signature, of: signed, by: algorithm)
    }
}
#endif
