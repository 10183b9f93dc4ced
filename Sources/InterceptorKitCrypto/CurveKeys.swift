#if Crypto
import Crypto
import InterceptorKit
import InterceptorKitSigning

struct Ed25519Signer: MessageSigner {
    let key: Curve25519.Signing.PrivateKey
    var algorithm: SignatureAlgorithm { .ed25519 }

    func signature(of message: [UInt8]) throws -> [UInt8] {
        Array(try key.signature(for: message))
    }
}

struct Ed25519Verifier: MessageVerifier {
    let key: Curve25519.Signing.PublicKey
    var algorithm: SignatureAlgorithm { .ed25519 }

    func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        key.isValidSignature(signature, for: message)
    }
}

struct P256Signer: MessageSigner {
    let key: P256.Signing.PrivateKey
    var algorithm: SignatureAlgorithm { .ecdsaP256SHA256 }

    func signature(of message: [UInt8]) throws -> [UInt8] {
        Array(try key.signature(for: message).rawRepresentation)
    }
}

struct P256Verifier: MessageVerifier {
    let key: P256.Signing.PublicKey
    var algorithm: SignatureAlgorithm { .ecdsaP256SHA256 }

    func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else {
            return false
        }
        return key.isValidSignature(signature, for: message)
    }
}

struct P384Signer: MessageSigner {
    let key: P384.Signing.PrivateKey
    var algorithm: SignatureAlgorithm { .ecdsaP384SHA384 }

    func signature(of message: [UInt8]) throws -> [UInt8] {
        Array(try key.signature(for: message).rawRepresentation)
    }
}

struct P384Verifier: MessageVerifier {
    let key: P384.Signing.PublicKey
    var algorithm: SignatureAlgorithm { .ecdsaP384SHA384 }

    func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        guard let signature = try? P384.Signing.ECDSASignature(rawRepresentation: signature) else {
            return false
        }
        return key.isValidSignature(signature, for: message)
    }
}
#endif
