import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// The current challenge of each origin, and the number of uses of its nonce.
///
/// The interceptor's list of origins bounds its size.
final class DigestNonces: Sendable {
    struct Use: Sendable {
        let challenge: DigestChallenge
        let count: UInt32
    }

    private struct State {
        var uses: [HTTP.Origin: Use] = [:]
        /// The origins that accepted the password and have not refused it since.
        var trusted: Set<HTTP.Origin> = []
    }

    private let state = Lock(State())

    /// Returns the next use of the known nonce for an origin; `nil` if there is none.
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

    /// Returns the first use of a challenge's nonce, or the next use if other calls got the same nonce.
    func begin(_ challenge: DigestChallenge, for origin: HTTP.Origin) -> Use {
        state.withLock { state in
            let last = state.uses[origin]
            let used = last?.challenge.nonce == challenge.nonce ? last?.count ?? 0 : 0
            let nonceUse = Use(challenge: challenge, count: used == .max ? .max : used + 1)
            state.uses[origin] = nonceUse
            return nonceUse
        }
    }

    /// Replaces a nonce by the one that the server announced as next (RFC 7616 section 3.5).
    func replace(_ used: Use, by nonce: String, for origin: HTTP.Origin) {
        state.withLock { state in
            guard state.uses[origin]?.challenge.nonce == used.challenge.nonce else { return }
            var challenge = used.challenge
            challenge.nonce = nonce
            state.uses[origin] = Use(challenge: challenge, count: 0)
        }
    }

    /// Removes a nonce that led to a refusal.
    func forget(_ used: Use, for origin: HTTP.Origin) {
        state.withLock { state in
            if state.uses[origin]?.challenge.nonce == used.challenge.nonce {
                state.uses[origin] = nil
            }
        }
    }

    /// Records that the server accepted the password.
    func trust(_ origin: HTTP.Origin) { _ = state.withLock { $0.trusted.insert(origin) } }

    /// Records that the server refused a response to the nonce that it had just sent.
    func distrust(_ origin: HTTP.Origin) { _ = state.withLock { $0.trusted.remove(origin) } }

    func isTrusted(_ origin: HTTP.Origin) -> Bool {
        state.withLock { $0.trusted.contains(origin) }
    }
}
