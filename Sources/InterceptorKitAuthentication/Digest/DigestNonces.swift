import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// The challenge in use at each origin, and how often its nonce was used.
///
/// Bounded by the interceptor's list of origins.
final class DigestNonces: Sendable {
    /// One use of a nonce.
    struct Turn: Sendable {
        let challenge: DigestChallenge
        let count: UInt32
    }

    private let turns = Lock<[HTTP.Origin: Turn]>([:])

    /// The next use of the nonce known for an origin; `nil` if none is.
    func next(for origin: HTTP.Origin) -> Turn? {
        turns.withLock { turns in
            guard let last = turns[origin], last.count < .max else {
                turns[origin] = nil
                return nil
            }
            let next = Turn(challenge: last.challenge, count: last.count + 1)
            turns[origin] = next
            return next
        }
    }

    /// The first use of a challenge's nonce, or the next if others were given the same.
    func begin(_ challenge: DigestChallenge, for origin: HTTP.Origin) -> Turn {
        turns.withLock { turns in
            let last = turns[origin]
            let used = last?.challenge.nonce == challenge.nonce ? last?.count ?? 0 : 0
            let turn = Turn(challenge: challenge, count: used == .max ? .max : used + 1)
            turns[origin] = turn
            return turn
        }
    }

    /// Takes the nonce that the server wants to see next (RFC 7616 section 3.5).
    func replace(_ used: Turn, by nonce: String, for origin: HTTP.Origin) {
        turns.withLock { turns in
            guard turns[origin]?.challenge.nonce == used.challenge.nonce else { return }
            var challenge = used.challenge
            challenge.nonce = nonce
            turns[origin] = Turn(challenge: challenge, count: 0)
        }
    }

    /// Forgets a nonce with which the server refused.
    func forget(_ used: Turn, for origin: HTTP.Origin) {
        turns.withLock { turns in
            if turns[origin]?.challenge.nonce == used.challenge.nonce { turns[origin] = nil }
        }
    }
}
