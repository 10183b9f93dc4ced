import Crypto
import InterceptorKit
import InterceptorKitCrypto
import Measuring

/// One figure: who does what with how many bytes.
struct Row {
    enum Contender: String, CustomStringConvertible {
        case interceptorKit = "InterceptorKit"
        case swiftCrypto = "swift-crypto"
        case provided = "InterceptorKit by swift-crypto"

        var description: String { rawValue }
    }

    let contender: Contender
    let work: String
    let size: Int
    let workload: Workload

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

    static var all: [Row] {
        codes(size: 300) + codes(size: 1 << 20) + hashes(size: 300) + hashes(size: 1 << 16)
    }

    private static func message(_ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    }

    private static func codes(size: Int) -> [Row] {
        let message = message(size)
        let secret = Array("a secret of thirty-two bytes. ok".utf8)
        let started = RunningHMAC(.sha256, key: secret)
        let provider = HashProvider.swiftCrypto
        let startedByProvider = RunningHMAC(.sha256, key: secret, by: provider)
        return [
            Row(.interceptorKit, "HMAC-SHA256", size: size) {
                HashAlgorithm.sha256.authenticationCode(of: message, key: secret)[0]
            },
            Row(.interceptorKit, "HMAC-SHA256, key kept", size: size) {
                var hmac = started
                hmac.update(message)
                return hmac.finalize()[0]
            },
            Row(.provided, "HMAC-SHA256", size: size) {
                HashAlgorithm.sha256.authenticationCode(of: message, key: secret, by: provider)[0]
            },
            Row(.provided, "HMAC-SHA256, key kept", size: size) {
                var hmac = startedByProvider
                hmac.update(message)
                return hmac.finalize()[0]
            },
            Row(.swiftCrypto, "HMAC-SHA256", size: size) {
                let key = SymmetricKey(data: secret)
                let code = HMAC<SHA256>.authenticationCode(for: message, using: key)
                return unsafe code.withUnsafeBytes { unsafe $0[0] }
            },
        ]
    }

    private static func hashes(size: Int) -> [Row] {
        let message = message(size)
        let algorithms: [HashAlgorithm] = [.md5, .sha1, .sha256, .sha384, .sha512, .sha512_256]
        return algorithms.map { algorithm in
            Row(.interceptorKit, "\(algorithm)", size: size) { algorithm.hash(message)[0] }
        } + [
            Row(.provided, "SHA-256", size: size) {
                HashAlgorithm.sha256.hash(message, by: .swiftCrypto)[0]
            },
            Row(.swiftCrypto, "SHA-256", size: size) {
                unsafe SHA256.hash(data: message).withUnsafeBytes { unsafe $0[0] }
            },
            Row(.swiftCrypto, "SHA-512", size: size) {
                unsafe SHA512.hash(data: message).withUnsafeBytes { unsafe $0[0] }
            },
        ]
    }
}
