import Crypto
public import InterceptorKit
public import Measuring

/// One figure: who does what with how many bytes.
public struct Digest: Sendable {
    /// Who hashes.
    public enum Contender: String, Sendable, CustomStringConvertible {
        case interceptorKit = "InterceptorKit"
        case swiftCrypto = "swift-crypto"
        case own = "InterceptorKit in pieces of 192 bytes"

        public var description: String { rawValue }
    }

    /// Who hashes.
    public let contender: Contender
    /// The algorithm.
    public let work: String
    /// The bytes of the message.
    public let size: Int
    /// The work itself.
    public let workload: Workload

    /// - Parameter first: Does the work once and returns the first byte of what it comes to.
    private init(
        _ contender: Contender,
        _ work: String,
        size: Int,
        first: @escaping @Sendable () -> UInt8
    ) {
        self.contender = contender
        self.work = work
        self.size = size
        workload = Workload(
            "\(contender), \(work) of \(size) bytes",
            answer: Int(first())
        ) { count in
            var sum = 0
            for _ in 0..<count { sum += Int(first()) }
            return sum
        }
    }

    private static let sizes = [16, 64, 256, 1 << 10, 1 << 12, 1 << 16, 1 << 20, 1 << 24]

    /// Everyone, with every algorithm and size.
    public static var all: [Digest] {
        let algorithms: [HashAlgorithm] = [.md5, .sha1, .sha256, .sha384, .sha512, .sha512_256]
        return codes(size: 300) + codes(size: 1 << 20)
            + algorithms.flatMap { algorithm in sizes.flatMap { hashes(algorithm, size: $0) } }
    }

    private static func message(_ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    }

    private static func codes(size: Int) -> [Digest] {
        let message = message(size)
        let secret = Array("a secret of thirty-two bytes. ok".utf8)
        let started = RunningHMAC(.sha256, key: secret)
        return [
            Digest(.interceptorKit, "HMAC-SHA256", size: size) {
                HashAlgorithm.sha256.authenticationCode(of: message, key: secret)[0]
            },
            Digest(.interceptorKit, "HMAC-SHA256, key kept", size: size) {
                var hmac = started
                hmac.update(message)
                return hmac.finalize()[0]
            },
            Digest(.swiftCrypto, "HMAC-SHA256", size: size) {
                let key = SymmetricKey(data: secret)
                let code = HMAC<SHA256>.authenticationCode(for: message, using: key)
                return unsafe code.withUnsafeBytes { unsafe $0[0] }
            },
        ]
    }

    /// Everyone who has an algorithm, with a message of a size.
    public static func hashes(_ algorithm: HashAlgorithm, size: Int) -> [Digest] {
        let message = message(size)
        var rows = [
            Digest(.own, "\(algorithm)", size: size) {
                // What is short is not left to the system.
                var hash = RunningHash(algorithm)
                var start = 0
                while start < size {
                    hash.update(message[start..<min(start + 192, size)])
                    start += 192
                }
                return hash.finalize()[0]
            },
            Digest(.interceptorKit, "\(algorithm)", size: size) { algorithm.hash(message)[0] },
        ]
        if let first = swiftCrypto(algorithm) {
            rows.append(Digest(.swiftCrypto, "\(algorithm)", size: size) { first(message) })
        }
        return rows
    }

    private static func swiftCrypto(
        _ algorithm: HashAlgorithm
    ) -> (@Sendable ([UInt8]) -> UInt8)? {
        switch algorithm {
        case .md5: { unsafe Insecure.MD5.hash(data: $0).withUnsafeBytes { unsafe $0[0] } }
        case .sha1: { unsafe Insecure.SHA1.hash(data: $0).withUnsafeBytes { unsafe $0[0] } }
        case .sha256: { unsafe SHA256.hash(data: $0).withUnsafeBytes { unsafe $0[0] } }
        case .sha384: { unsafe SHA384.hash(data: $0).withUnsafeBytes { unsafe $0[0] } }
        case .sha512: { unsafe SHA512.hash(data: $0).withUnsafeBytes { unsafe $0[0] } }
        default: nil
        }
    }
}
