public import InterceptorKit

/// A key to verify with, and its id in signatures. Its description and mirror never show the key itself.
public struct VerificationKey: Sendable {
    private enum Material: Sendable {
        case secret(SharedSecret)
        case verifier(any MessageVerifier)
    }

    /// The id of the key in signatures.
    public let id: String

    /// The token of a temporary key, such as an AWS session token, which must accompany a signature. Defaults to `nil`,
    /// for a key that needs none.
    public var token: String?

    private let material: Material

    /// Creates a key from a shared secret, for HMAC-SHA256.
    /// - Parameters:
    ///   - id: The id of the key in signatures.
    ///   - secret: The secret's bytes.
    public init(id: String, secret: some Sequence<UInt8>) {
        self.id = id
        material = .secret(SharedSecret(secret))
    }

    /// Creates a public key.
    /// - Parameters:
    ///   - id: The id of the key in signatures.
    ///   - verifier: The public key.
    public init(id: String, verifier: some MessageVerifier) {
        self.id = id
        material = .verifier(verifier)
    }

    /// The shared secret, for a scheme that derives its keys from it; `nil` for a public key.
    public var secret: SharedSecret? {
        if case .secret(let secret) = material { secret } else { nil }
    }

    /// The algorithm of the key's signatures.
    public var algorithm: SignatureAlgorithm {
        switch material {
        case .secret: .hmacSHA256
        case .verifier(let verifier): verifier.algorithm
        }
    }

    /// Returns whether a signature of a message was made with this key.
    /// - Parameters:
    ///   - signature: The signature as received.
    ///   - message: The signed message, not its hash.
    public func isValid(
        _ signature: [UInt8],
        for message: [UInt8]
    ) -> Bool {
        switch material {
        case .secret(let secret):
            !secret.isEmpty
                && ConstantTime.isEqual(
                    secret.authenticationCode(of: message),
                    signature
                )
        case .verifier(let verifier):
            verifier.isValid(signature, for: message)
        }
    }
}

extension VerificationKey: CustomStringConvertible {
    /// The key's id.
    public var description: String { "VerificationKey(\(id))" }
}

extension VerificationKey: CustomReflectable {
    /// The id only, so that `dump` and debuggers do not show the key.
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}

/// A store of keys to verify with.
public protocol VerificationKeyStore: Sendable {
    /// Returns the key with an id; `nil` if there is none.
    /// - Parameter id: The id in an unverified message, so any text at all.
    func verificationKey(id: String) async throws -> VerificationKey?
}

/// A store of fixed keys.
public struct FixedVerificationKeys: VerificationKeyStore {
    private let keys: [String: VerificationKey]

    /// Creates a store; of several keys with one id, the first counts.
    public init(_ keys: [VerificationKey]) {
        self.keys = Dictionary(keys.map { ($0.id, $0) }) { first, _ in first }
    }

    public func verificationKey(id: String) async throws -> VerificationKey? { keys[id] }
}
