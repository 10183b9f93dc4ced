import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitSigning
import Synchronization

/// Signing keys derived from secrets and kept for their day, which saves four of five HMACs.
final class DerivedKeys: Sendable {
    private struct Entry {
        let scope: Scope
        let secret: SharedSecret
        let key: RunningHMAC
    }

    struct Scope: Hashable {
        let day: Int
        let prefix: String
        let region: String
        let service: String
        let terminator: String
    }

    // A key that rotates around midnight needs four.
    private static let limit = 8

    private let entries = Lock<[Entry]>([])

    /// Returns an HMAC under the key derived from a secret, ready for a message.
    func code(
        for scope: Scope,
        _ time: SigningTimestamp,
        secret: SharedSecret
    ) -> RunningHMAC {
        let known = entries.withLock { entries in
            entries.first { $0.scope == scope && $0.secret == secret }?.key
        }
        if let known { return known }
        let derived = Self.derive(scope, time, secret: secret.bytes)
        let key = RunningHMAC(.sha256, key: derived)
        entries.withLock { entries in
            if entries.count >= Self.limit { entries.removeLast() }
            entries.insert(Entry(scope: scope, secret: secret, key: key), at: 0)
        }
        return key
    }

    /// Derives a key (AWS, "Create a signed AWS API request").
    static func derive(
        _ scope: Scope,
        _ time: SigningTimestamp,
        secret: [UInt8]
    ) -> HashAlgorithm.Digest {
        var day = CanonicalWriter(capacity: 8)
        day.appendDay(time)
        let first = HashAlgorithm.sha256.authenticationCode(
            of: day.bytes,
            key: Array(scope.prefix.utf8) + secret
        )
        return [scope.region, scope.service, scope.terminator].reduce(first) { key, part in
            HashAlgorithm.sha256.authenticationCode(of: part.utf8, key: key)
        }
    }
}
