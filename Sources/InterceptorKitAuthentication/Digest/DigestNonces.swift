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

    private struct State {
        var uses: [HTTP.Origin: Use] = [:]
        /// Where the server accepted the password, and has not refused it since.
        var trusted: Set<HTTP.Origin> = []
    }

    private let state = Lock(State())

    /// The next use of the nonce known for an origin; `nil` if none is.
    func next(for origin: HTTP.Origin) -> Use? {
        state.withLock { state in
            guard let last = state.uses[origin], last.count < .max else {
                state.uses[origin] = nil
                return nil
            }
            let next = Use(challenge: last.challenge, count: last.count + 1)
            state.uses[origin] = next
            return next
        }
    }

    /// The first use of a challenge's nonce, or the next if others were given the same.
    func begin(_ challenge: DigestChallenge, for origin: HTTP.Origin) -> Use {
        state.withLock { state in
            let last = state.uses[origin]
            let used = last?.challenge.nonce == challenge.nonce ? last?.count ?? 0 : 0
            let nonceUse = Use(challenge: challenge, count: used == .max ? .max : used + 1)
            state.uses[origin] = nonceUse
            return nonceUse
        }
    }

    /// Takes the nonce that the server wants to see next (RFC 7616 section 3.5).
    func replace(_ used: Use, by nonce: String, for origin: HTTP.Origin) {
        state.withLock { state in
            guard state.uses[origin]?.challenge.nonce == used.challenge.nonce else { return }
            var challenge = used.challenge
            challenge.nonce = nonce
            state.uses[origin] = Use(challenge: challenge, count: 0)
        }
    }

    /// Forgets a nonce with which the server refused.
    func forget(_ used: Use, for origin: HTTP.Origin) {
        state.withLock { state in
            if state.uses[origin]?.challenge.nonce == used.challenge.nonce {
                state.uses[origin] = nil
            }
        }
    }

    /// Notes that the server accepted the password.
    func trust(_ origin: HTTP.Origin) { _ = state.withLock { $0.trusted.insert(origin) } }

    /// Notes that the server refused what was made for a nonce that it had just given.
    func distrust(_ origin: HTTP.Origin) { _ = state.withLock { $0.trusted.remove(origin) } }

    /// Whether the server accepted the password, and has not refused it since.
    func isTrusted(_ origin: HTTP.Origin) -> Bool {
        state.withLock { $0.trusted.contains(origin) }
    }
}
