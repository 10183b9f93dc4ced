#if Crypto
import Crypto
import CryptoExtras
public import InterceptorKit

/// The padding of RSA signatures (RFC 9421 sections 3.3.1 and 3.3.2).
public enum RSAPadding: Sendable, Hashable {
    /// RSASSA-PSS with SHA-512 and a salt of 64 bytes: `rsa-pss-sha512`.
    case pss
    /// RSASSA-PKCS1-v1_5 with SHA-256: `rsa-v1_5-sha256`. For peers that support nothing newer.
    case pkcs1

    /// The algorithm's registered name.
    public var algorithm: SignatureAlgorithm {
        switch self {
        case .pss: .rsaPSSSHA512
        case .pkcs1: .rsaPKCS1SHA256
        }
    }
}

struct RSASigner: MessageSigner {
    private let key: _RSA.Signing.PrivateKey
    private let padding: RSAPadding

    var algorithm: SignatureAlgorithm { padding.algorithm }

    init(pem: String, padding: RSAPadding) throws(SigningError) {
        do {
            key = try _RSA.Signing.PrivateKey(pemRepresentation: pem)
        } catch {
            throw .invalidRSAKey("private")
        }
        self.padding = padding
    }

    func signature(of message: [UInt8]) throws -> [UInt8] {
        switch padding {
        case .pss:
            Array(
                try key.signature(for: SHA512.hash(data: message), padding: .PSS).rawRepresentation
            )
        case .pkcs1:
            Array(
                try key.signature(for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
                    .rawRepresentation
            )
        }
    }
}

struct RSAVerifier: MessageVerifier {
    private let key: _RSA.Signing.PublicKey
    private let padding: RSAPadding

    var algorithm: SignatureAlgorithm { padding.algorithm }

    init(pem: String, padding: RSAPadding) throws(SigningError) {
        do {
            key = try _RSA.Signing.PublicKey(pemRepresentation: pem)
        } catch {
            throw .invalidRSAKey("public")
        }
        self.padding = padding
    }

    init(modulus: [UInt8], exponent: [UInt8], padding: RSAPadding) throws(SigningError) {
        // The initializer from numbers accepts shorter keys, unlike the one from PEM.
        let size = modulus.drop { $0 == 0 }
        guard size.count >= 256 else { throw .invalidRSAKey("public") }
        do {
            key = try _RSA.Signing.PublicKey(n: modulus, e: exponent)
        } catch {
            throw .invalidRSAKey("public")
        }
        self.padding = padding
    }

    func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
        return switch padding {
        case .pss:
            key.isValidSignature(signature, for: SHA512.hash(data: message), padding: .PSS)
        case .pkcs1:
            key.isValidSignature(
                signature,
                for: SHA256.hash(data: message),
                padding: .insecurePKCS1v1_5
            )
        }
    }
}

extension SigningError {
    fileprivate static func invalidRSAKey(_ kind: String) -> SigningError {
        SigningError(
            .unsuitableKey,
            "This is no \(kind) RSA key of at least 2,048 bits in PEM or, for a public one, as numbers."
        )
    }
}
#endif
