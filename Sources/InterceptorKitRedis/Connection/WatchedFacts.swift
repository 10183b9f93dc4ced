#if Redis
import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// The facts about a server, refreshed while a connection is used, because its settings can change while it runs.
final class WatchedFacts: Sendable {
    private struct State {
        var facts: RedisServerFacts
        var asked: Runtime.Instant
    }

    /// The time for which the facts are valid. The next command refreshes them, which costs one more round trip.
    static let lifetime: Duration = .seconds(1)

    private let first: RedisServerFacts
    private let state: Lock<State>

    init(_ facts: RedisServerFacts, at now: Runtime.Instant) {
        first = facts
        state = Lock(State(facts: facts, asked: now))
    }

    /// Returns the facts, refreshed if they are no longer valid.
    nonisolated(nonsending) func current(
        on connection: RedisConnection,
        at now: Runtime.Instant,
        until deadline: Runtime.Instant
    ) async throws -> RedisServerFacts {
        let known = state.withLock { state -> RedisServerFacts? in
            guard state.asked.duration(to: now) >= Self.lifetime else { return state.facts }
            // Other commands use the known facts meanwhile.
            state.asked = now
            return nil
        }
        if let known { return known }
        do {
            let found = try await connection.facts(until: deadline).after(first)
            state.withLock { $0.facts = found }
            return found
        } catch {
            // The next command tries again.
            state.withLock { $0.asked = now.advanced(by: .zero - Self.lifetime) }
            throw error
        }
    }
}
#endif
