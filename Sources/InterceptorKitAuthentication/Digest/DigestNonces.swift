import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// The challenge in use at each origin, and how often its nonce was used.
///
/// Bounded by the interceptor's list of origins.
final class DigestNonces: Sendable {
    /// One use of a nonce.
    struct Use: Sendable {
        let challenge: DigestChallenge
        let count: UInt32
    }

    private let uses = Lock<[HTTP.Origin: Use]>([:])

    /// The next use of the nonce known for an origin; `nil` if none is.
    func next(for origin: HTTP.Origin) -> Use? {
        uses.withLock { uses in
            guard let last = uses[origin], last.count < .max else {
                uses[origin] = nil
                return nil
            }
            let next = Use(challenge: last.challenge, count: last.count + 1)
            uses[origin] = next
            return next
        }
    }

    /// The first use of a challenge's nonce, or the next if others were given the same.
    func begin(_ challenge: DigestChallenge, for origin: HTTP.Origin) -> Use {
        uses.withLock { uses in
            let last = uses[origin]
            let used = last?.challenge.nonce == challenge.nonce ? last?.count ?? 0 : 0
            let nonceUse = Use(challenge: challenge, count: used == .max ? .max : used + 1)
            uses[origin] = nonceUse
            return nonceUse
        }
    }

    /// Takes the nonce that the server wants to see next (RFC 7616 section 3.5).
    func replace(_ used: Use, by nonce: String, for origin: HTTP.Origin) {
        uses.withLock { uses in
            guard uses[origin]?.challenge.nonce == used.challenge.nonce else { return }
            var challenge = used.challenge
            challenge.nonce = nonce
            uses[origin] = Use(challenge: challenge, count: 0)
        }
    }

    /// Forgets a nonce with which the server refused.
    func forget(_ used: Use, for origin: HTTP.Origin) {
        uses.withLock { uses in
            if uses[origin]?.challenge.nonce == used.challenge.nonce { uses[origin] = nil }
        }
    }
}
