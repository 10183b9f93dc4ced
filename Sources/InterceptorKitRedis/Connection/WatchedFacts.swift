#if Redis
import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// What a server says of itself, asked for again while a connection is used: its settings can be changed while it
/// runs.
final class WatchedFacts: Sendable {
    private struct State {
        var facts: RedisServerFacts
        var asked: Runtime.Instant
    }

    /// How long the facts count. A command after that asks first, which costs it one more round trip.
    static let lifetime: Duration = .seconds(1)

    private let first: RedisServerFacts
    private let state: Lock<State>

    init(_ facts: RedisServerFacts, at now: Runtime.Instant) {
        first = facts
        state = Lock(State(facts: facts, asked: now))
    }

    /// The facts, which are asked for if nobody did for a while.
    nonisolated(nonsending) func current(
        on connection: RedisConnection,
        at now: Runtime.Instant,
        until deadline: Runtime.Instant
    ) async throws -> RedisServerFacts {
        let known = state.withLock { state -> RedisServerFacts? in
            guard state.asked.duration(to: now) >= Self.lifetime else { return state.facts }
            // Others go on with what is known meanwhile.
            state.asked = now
            return nil
        }
        if let known { return known }
        do {
            let found = try await connection.facts(until: deadline).after(first)
            state.withLock { $0.facts = found }
            return found
        } catch {
            // Asked again by the next.
            state.withLock { $0.asked = now.advanced(by: .zero - Self.lifetime) }
            throw error
        }
    }
}
#endif
