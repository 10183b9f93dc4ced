import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A public key as JSON (RFC 7517), with only the members that define the key.
public struct JSONWebKey: Sendable, Hashable {
    package let members: [String: String]

    /// Creates a key from its members, which need no JSON escapes.
    package init(members: [String: String]) { self.members = members }

    /// Returns a key on a curve with two coordinates (RFC 7518 section 6.2).
    /// - Parameters:
    ///   - curve: The curve's name, such as `P-256`.
    ///   - x: The first coordinate, big-endian, as long as the curve's field.
    ///   - y: The second coordinate.
    public static func ellipticCurve(
        _ curve: String,
        x: some Collection<UInt8>,
        y: some Collection<UInt8>
    ) -> JSONWebKey {
        JSONWebKey(members: [
            "kty": "EC", "crv": curve, "x": Base64URL.encode(x), "y": Base64URL.encode(y),
        ])
    }

    /// Returns an Edwards-curve key (RFC 8037).
    /// - Parameters:
    ///   - curve: The curve's name, such as `Ed25519`.
    ///   - x: The public key's bytes.
    public static func octetPair(
        _ curve: String,
        x: some Collection<UInt8>
    ) -> JSONWebKey {
        JSONWebKey(members: ["kty": "OKP", "crv": curve, "x": Base64URL.encode(x)])
    }

    /// Returns an RSA key (RFC 7518 section 6.3).
    /// - Parameters:
    ///   - modulus: The modulus, big-endian, without leading zeros.
    ///   - exponent: The public exponent, in the same form.
    public static func rsa(
        modulus: some Collection<UInt8>,
        exponent: some Collection<UInt8>
    ) -> JSONWebKey {
        JSONWebKey(members: [
            "kty": "RSA", "n": Base64URL.encode(modulus), "e": Base64URL.encode(exponent),
        ])
    }

    /// The key's thumbprint, by which servers identify it: the SHA-256 of its canonical form (RFC 7638), in base64url.
    public var thumbprint: String {
        // Names and values of these key types need no JSON escapes.
        let text = members.sorted { $0.key < $1.key }
            .map { "\"\($0.key)\":\"\($0.value)\"" }
            .joined(separator: ",")
        return Base64URL.encode(HashAlgorithm.sha256.hash("{\(text)}".utf8))
    }
}

extension JSONWebKey: CustomStringConvertible {
    /// The kind and the thumbprint.
    public var description: String { "JSONWebKey(\(members["kty"] ?? ""), \(thumbprint))" }
}
