#if JWT
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Nonces that a server asks for in proofs (RFC 9449 section 9), so that none can be made ahead of its time.
///
/// Nothing is stored: a nonce is the time at which it was made, with an authentication code. Callers get the next one
/// while theirs is still accepted, so that only a caller's first request has to be sent twice.
public struct DPoPNonces: Sendable {
    enum Judgement {
        case valid
        /// Valid, and for less than half of its time.
        case aging
        case refused
    }

    /// How far in the future a nonce may be: the difference between the clocks of two servers with one key.
    private static let skew: Int64 = 60

    private let lifetime: Duration
    private let key: NonceKey

    /// Creates nonces.
    /// - Parameters:
    ///   - lifetime: How long a nonce is accepted. Defaults to 300 s.
    ///   - key: A secret of at least 32 bytes, if several servers have to accept each other's nonces. Defaults to one that
    ///     is made for this value at random.
    public init(lifetime: Duration = .seconds(300), key: [UInt8]? = nil) {
        self.lifetime = lifetime
        self.key = NonceKey(key)
    }

    func validate() throws(SettingError) {
        let check = SettingCheck(of: "DPoPNonces")
        try check.within(.seconds(1) ... .seconds(86_400), "lifetime", lifetime)
        if let count = key.givenCount {
            try check.require(count >= 32, "key", "\(count) bytes", "at least 32 bytes")
        }
    }

    /// Makes a nonce.
    func fresh(on runtime: Runtime) -> String {
        let time = Self.bytes(Self.seconds(runtime.date))
        return Base64URL.encode(time + code(of: time, runtime))
    }

    func judge(_ nonce: String, on runtime: Runtime) -> Judgement {
        guard let bytes = Base64URL.decode(nonce.utf8), bytes.count == 24 else { return .refused }
        let time = Array(bytes[..<8])
        guard ConstantTime.isEqual(bytes[8...], code(of: time, runtime)) else { return .refused }
        let made = time.reduce(0 as Int64) { $0 << 8 | Int64($1) }
        let age = Self.seconds(runtime.date).subtractingReportingOverflow(made)
        let lifetime = lifetime.components.seconds
        guard !age.overflow, -Self.skew...lifetime ~= age.partialValue else { return .refused }
        return age.partialValue > lifetime / 2 ? .aging : .valid
    }

    // Half of the digest, as RFC 2104 section 5 allows.
    private func code(of time: [UInt8], _ runtime: Runtime) -> [UInt8] {
        let message = Array("DPoP-Nonce".utf8) + time
        return Array(
            HashAlgorithm.sha256.authenticationCode(of: message, key: key.bytes(runtime))
                .prefix(16)
        )
    }

    private static func seconds(_ date: Date) -> Int64 {
        Int64(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0
    }

    private static func bytes(_ number: Int64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> Int64($0)) }
    }
}

/// A secret that was given, or is made at its first use, because only a call has a source of randomness.
private final class NonceKey: Sendable {
    private let state: Lock<[UInt8]?>
    let givenCount: Int?

    init(_ given: [UInt8]?) {
        state = Lock(given)
        givenCount = given?.count
    }

    func bytes(_ runtime: Runtime) -> [UInt8] {
        state.withLock { key in
            if let key { return key }
            let made = runtime.randomBytes(32)
            key = made
            return made
        }
    }
}

extension DPoPNonces: CustomReflectable {
    /// Only the lifetime, so that `dump` and debuggers do not show the key.
    public var customMirror: Mirror { Mirror(self, children: ["lifetime": lifetime]) }
}
#endif
