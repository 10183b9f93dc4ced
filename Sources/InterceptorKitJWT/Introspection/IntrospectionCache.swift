#if JWT
import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// What an authorization server has said of tokens, for a time, by the tokens' digests.
///
/// Each kind of response has two generations: when the newer one is full, the older one is forgotten, but for what was
/// used since. So those in use stay, at a constant cost for each look.
final class IntrospectionCache: Sendable {
    typealias Result = Swift.Result<IntrospectionEndpoint.Answer, AccessTokenError>

    private struct Entry {
        let result: Result
        let end: Runtime.Instant
        let weight: Int
    }

    private struct Generations {
        private var current: [String: Entry] = [:]
        private var previous: [String: Entry] = [:]
        private var weight = 0

        mutating func entry(_ key: String, _ half: Int) -> Entry? {
            if let entry = current[key] { return entry }
            guard let entry = previous[key] else { return nil }
            set(entry, for: key, half)
            return entry
        }

        mutating func set(_ entry: Entry, for key: String, _ half: Int) {
            remove(key)
            guard entry.weight <= half else { return }
            if weight + entry.weight > half {
                previous = current
                current = [:]
                weight = 0
            }
            current[key] = entry
            weight += entry.weight
        }

        mutating func remove(_ key: String) {
            previous[key] = nil
            if let old = current.removeValue(forKey: key) { weight -= old.weight }
        }

        var count: Int { current.count + previous.count }
    }

    private struct State {
        var active = Generations()
        // Apart, so that a flood of invented tokens pushes out no active one.
        var refused = Generations()
    }

    private let half: Int
    private let state = Lock(State())

    /// - Parameter capacity: The number of active tokens, and of refused ones, at least 2.
    init(capacity: Int) { half = max(1, capacity / 2) }

    /// The response about a token; `nil` if there is none any more.
    subscript(digest: String, at now: Runtime.Instant) -> Result? {
        state.withLock { state in
            if let entry = state.active.entry(digest, half) {
                if now < entry.end { return entry.result }
                state.active.remove(digest)
            }
            guard let entry = state.refused.entry(digest, half) else { return nil }
            if now < entry.end { return entry.result }
            state.refused.remove(digest)
            return nil
        }
    }

    /// Keeps a response until an instant, in place of an earlier one.
    func keep(_ result: Result, for digest: String, until end: Runtime.Instant) {
        state.withLock { state in
            switch result {
            case .success(let answer):
                state.refused.remove(digest)
                let entry = Entry(result: result, end: end, weight: 1 + answer.size / 4096)
                state.active.set(entry, for: digest, half)
            case .failure:
                state.active.remove(digest)
                state.refused.set(Entry(result: result, end: end, weight: 1), for: digest, half)
            }
        }
    }

    /// The number of responses that are kept.
    var count: Int { state.withLock { $0.active.count + $0.refused.count } }
}
#endif
