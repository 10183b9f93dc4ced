/// A secret that both sides have, with what every HMAC-SHA256 under it begins with: two blocks less to hash
/// for each message.
final class SharedSecret: Sendable {
    let bytes: [UInt8]
    private let started: RunningHMAC

    init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
        started = RunningHMAC(.sha256, key: self.bytes)
    }

    /// An empty one is a secret that everybody has.
    var isEmpty: Bool { bytes.isEmpty }

    func authenticationCode(
        of message: some Sequence<UInt8>,
        using algorithm: HashAlgorithm = .sha256
    ) -> HashAlgorithm.Digest {
        guard algorithm == .sha256 else {
            return algorithm.authenticationCode(of: message, key: bytes)
        }
        var code = started
        code.update(message)
        return code.finalize()
    }
}

extension SharedSecret: Equatable {
    /// Whether both are the same bytes, in a time that does not tell how many of them are.
    static func == (left: SharedSecret, right: SharedSecret) -> Bool {
        left === right || ConstantTime.isEqual(left.bytes, right.bytes)
    }
}
