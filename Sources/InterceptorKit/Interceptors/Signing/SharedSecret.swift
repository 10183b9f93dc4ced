/// A secret that client and server share. It never shows its bytes.
///
/// It keeps the initial state of HMAC-SHA256 with the secret, which saves two blocks for each message.
public final class SharedSecret: Sendable {
    /// The secret's bytes. Don't show them.
    public let bytes: [UInt8]
    private let started: RunningHMAC

    /// Creates a secret.
    /// - Parameter bytes: The secret's bytes.
    public init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
        started = RunningHMAC(.sha256, key: self.bytes)
    }

    /// Whether the secret is empty, and so known to everybody.
    public var isEmpty: Bool { bytes.isEmpty }

    /// Returns the HMAC of some bytes with this secret.
    /// - Parameters:
    ///   - message: The bytes.
    ///   - algorithm: The hash function. Defaults to SHA-256.
    public func authenticationCode(
        of message: some Sequence<UInt8>,
        using algorithm: HashAlgorithm = .sha256
    ) -> HashAlgorithm.Digest {
        let isLong = message.underestimatedCount >= RunningHash.systemMinimum
        guard algorithm == .sha256, !isLong else {
            return algorithm.authenticationCode(of: message, key: bytes)
        }
        var code = started
        code.update(message)
        return code.finalize()
    }
}

extension SharedSecret: Equatable {
    /// Whether both have the same bytes, compared in a time that does not reveal how many bytes match.
    public static func == (left: SharedSecret, right: SharedSecret) -> Bool {
        left === right || ConstantTime.isEqual(left.bytes, right.bytes)
    }
}

extension SharedSecret: CustomReflectable {
    /// The number of bytes, so that `dump` and debuggers do not show the secret.
    public var customMirror: Mirror { Mirror(self, children: ["count": bytes.count]) }
}
