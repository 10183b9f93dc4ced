public import InterceptorKit

/// A key to verify with, and the name signatures call it by. Never shows the key.
public struct VerificationKey: Sendable {
    enum Material: Sendable {
        case secret(SharedSecret)
        case verifier(any MessageVerifier)
    }

    /// The name signatures call it by.
    public let id: String

    /// What was given out along with a temporary key and has to come with it, as an AWS session token;
    /// `nil`, the default, for a key that needs none.
    public var token: String?

    let material: Material

    /// Creates a key that both sides have, for HMAC-SHA256.
    /// - Parameters:
    ///   - id: The name signatures call it by.
    ///   - secret: The secret's bytes.
    public init(id: String, secret: some Sequence<UInt8>) {
        self.id = id
        material = .secret(SharedSecret(secret))
    }

    /// Creates a public key.
    /// - Parameters:
    ///   - id: The name signatures call it by.
    ///   - verifier: The public half.
    public init(id: String, verifier: some MessageVerifier) {
        self.id = id
        material = .verifier(verifier)
    }

    /// How it verifies.
    public var algorithm: SignatureAlgorithm {
        switch material {
        case .secret: .hmacSHA256
        case .verifier(let verifier): verifier.algorithm
        }
    }

    /// Whether a signature is one of a message with this key.
    /// - Parameters:
    ///   - signature: As received.
    ///   - message: What was signed, not its hash.
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

/// Where keys to verify with come from.
public protocol VerificationKeyStore: Sendable {
    /// The key of that name; `nil` if there is none.
    /// - Parameter id: As an unverified message says, so anything at all.
    func verificationKey(id: String) async throws -> VerificationKey?
}

/// Keys that do not change.
public struct FixedVerificationKeys: VerificationKeyStore {
    private let keys: [String: VerificationKey]

    /// Creates a store; of several with one id, the first counts.
    public init(_ keys: [VerificationKey]) {
        self.keys = Dictionary(keys.map { ($0.id, $0) }) { first, _ in first }
    }

    public func verificationKey(id: String) async throws -> VerificationKey? { keys[id] }
}
