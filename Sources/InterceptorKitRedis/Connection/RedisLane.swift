#if Redis
import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// A slot for one connection, which is made when a command needs it and made again after it broke.
///
/// One task connects while commands wait. After a failure the next attempt waits for a backoff; a command whose
/// deadline comes earlier fails at once, so an absent server does not cost each command its whole timeout.
final class RedisLane: Sendable {
    struct Ready: Sendable {
        let connection: RedisConnection
        let facts: WatchedFacts
    }

    private struct Waiting {
        let waiter: Waiter<Ready, any Error>
        let deadline: Runtime.Instant
        var timer: DeadlineTimer?

        func end(_ result: Result<Ready, any Error>) {
            timer?.cancel()
            waiter.resume(with: result)
        }
    }

    private struct State {
        var ready: Ready?
        var waiting: [Waiting] = []
        var connecting: Task<Void, Never>?
        var isConnecting = false
        var failures = 0
        var lastFailure: RedisError?
        var nextAttempt: Runtime.Instant?
        var isClosed = false
    }

    private let settings: RedisSettings
    private let open: RedisLinkOpener
    private let runtime: Runtime
    private let state = Lock(State())

    init(_ settings: RedisSettings, runtime: Runtime, open: @escaping RedisLinkOpener) {
        self.settings = settings
        self.runtime = runtime
        self.open = open
    }

    /// The connection, if there is one and it has room.
    var usable: Ready? {
        guard let ready = state.withLock(\.ready), ready.connection.hasRoom else { return nil }
        return ready
    }

    /// Whether no attempt to connect was made since the lane was made or its connection broke.
    var isIdle: Bool {
        state.withLock { state in
            state.failures == 0 && !state.isConnecting && state.ready?.connection.isOpen != true
        }
    }

    /// Returns the connection, and makes it first if necessary.
    nonisolated(nonsending) func ready(until deadline: Runtime.Instant) async throws -> Ready {
        try Task.checkCancellation()
        let waiter = Waiter<Ready, any Error>()
        if let ready = try join(waiter, deadline) { return ready }
        defer { leave(waiter) }
        let wait = runtime.beginWait("waits for a connection to Redis")
        defer { wait?.end() }
        return try await waiter.value()
    }

    func close() {
        let (ended, connecting, waiting) = state.withLock { state in
            state.isClosed = true
            let waiting = state.waiting
            state.waiting = []
            return (state.ready.take(), state.connecting.take(), waiting)
        }
        connecting?.cancel()
        ended?.connection.fail(.closed)
        for waiter in waiting { waiter.end(.failure(RedisError.closed)) }
    }

    private func join(
        _ waiter: Waiter<Ready, any Error>,
        _ deadline: Runtime.Instant
    ) throws -> Ready? {
        let now = runtime.now
        let (ready, mustConnect) = try state.withLock { state throws -> (Ready?, Bool) in
            if state.isClosed { throw RedisError.closed }
            if let ready = state.ready, ready.connection.isOpen { return (ready, false) }
            if let next = state.nextAttempt, next > deadline || deadline <= now {
                throw unreachable(state.lastFailure)
            }
            state.waiting.append(Waiting(waiter: waiter, deadline: deadline))
            guard !state.isConnecting else { return (nil, false) }
            state.isConnecting = true
            return (nil, true)
        }
        if ready != nil { return ready }
        let timer = runtime.timer(at: deadline, "time limit of a wait for Redis") { [weak self] in
            self?.giveUp(waiter)
        }
        let hasLeft = state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0.waiter === waiter }) else {
                return true
            }
            state.waiting[index].timer = timer
            return false
        }
        if hasLeft { timer.cancel() }
        if mustConnect { connect() }
        return nil
    }

    private func leave(_ waiter: Waiter<Ready, any Error>) {
        let left = state.withLock { state -> Waiting? in
            state.waiting.firstIndex { $0.waiter === waiter }.map { state.waiting.remove(at: $0) }
        }
        left?.timer?.cancel()
    }

    private func giveUp(_ waiter: Waiter<Ready, any Error>) {
        leave(waiter)
        waiter.resume(with: .failure(unreachable(state.withLock(\.lastFailure))))
    }

    private func connect() {
        let task = runtime.start("connection to Redis") { [weak self] in
            while let instant = self?.nextConnectInstant() {
                // Cancelled when the lane is closed.
                guard (try? await self?.runtime.sleep(until: instant)) != nil else { return }
                await self?.attempt()
            }
        }
        let isClosed = state.withLock { state in
            if state.isConnecting { state.connecting = task }
            return state.isClosed
        }
        if isClosed { task.cancel() }
    }

    /// The instant of the next attempt; `nil` if nobody waits any more.
    private func nextConnectInstant() -> Runtime.Instant? {
        let now = runtime.now
        return state.withLock { state in
            let isNeeded = !state.isClosed && !state.waiting.isEmpty && state.ready == nil
            guard isNeeded else {
                // In the same step, so that a command that joins after this connects again.
                state.isConnecting = false
                state.connecting = nil
                return nil
            }
            return state.nextAttempt ?? now
        }
    }

    private nonisolated(nonsending) func attempt() async {
        let connection = RedisConnection(
            limits: RESPLimits(size: settings.replyLimit),
            inFlightLimit: settings.inFlightLimit,
            runtime: runtime
        )
        let deadline = runtime.now.advanced(by: settings.timeout)
        do {
            let link = try await open(connection)
            connection.use(link) { [weak self, weak connection] in self?.discard(connection) }
            let facts = try await connection.begin(settings, until: deadline)
            succeed(Ready(connection: connection, facts: WatchedFacts(facts, at: runtime.now)))
        } catch {
            connection.fail(.closed)
            fail(Self.reason(of: error))
        }
    }

    private static func reason(of error: any Error) -> RedisError {
        guard let known = error as? RedisError else {
            return RedisError(.unreachable, "Check that it runs and can be reached.", cause: error)
        }
        guard known.code == .outcomeUnknown || known.code == .unreachable else { return known }
        let advice =
            "It ended the connection or was silent when it was greeted. Check whether it speaks TLS."
        return RedisError(.unreachable, advice, cause: known.cause)
    }

    private func succeed(_ ready: Ready) {
        let (waiting, isClosed) = state.withLock { state in
            guard !state.isClosed else { return ([Waiting](), true) }
            state.ready = ready
            state.failures = 0
            state.lastFailure = nil
            state.nextAttempt = nil
            let waiting = state.waiting
            state.waiting = []
            return (waiting, false)
        }
        if isClosed { ready.connection.fail(.closed) }
        for waiter in waiting { waiter.end(.success(ready)) }
    }

    private func fail(_ failure: RedisError) {
        let now = runtime.now
        let fraction = runtime.randomFraction()
        let refused = state.withLock { state in
            state.failures += 1
            state.lastFailure = failure
            let delay = settings.backoff.delay(after: state.failures, fraction: fraction)
            let next = now.advanced(by: delay)
            state.nextAttempt = next
            let refused = state.waiting.filter { $0.deadline < next }
            state.waiting.removeAll { $0.deadline < next }
            return refused
        }
        for waiter in refused { waiter.end(.failure(unreachable(failure))) }
    }

    private func discard(_ connection: RedisConnection?) {
        state.withLock { state in
            if let ready = state.ready, connection == nil || ready.connection === connection {
                state.ready = nil
            }
        }
    }

    private func unreachable(_ failure: RedisError?) -> RedisError {
        switch failure?.code {
        case .notAuthenticated?, .unsupportedServer?:
            failure ?? .unreachable(settings.place, cause: nil)
        default:
            .unreachable(settings.place, cause: failure)
        }
    }
}
#endif
