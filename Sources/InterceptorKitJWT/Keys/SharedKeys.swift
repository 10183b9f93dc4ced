#if JWT
import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// The keys of an issuer, fetched once for all calls that need them.
///
/// ``KeySetState`` decides; this class locks it, makes calls wait and runs the fetches. A fetch is a task of the
/// runtime, owned by this class and limited in time. No call cancels it; the end of this class does.
final class SharedKeys: Sendable {
    private enum Wake {
        case fetched
        case late
        case cancelled
    }

    private enum Work {
        case done(KeySetState.Step)
        case waits(Waiter<Wake, Never>, Int, orUse: [VerificationKey])
    }

    private struct State {
        var decisions: KeySetState
        var waiters = WaiterQueue<Waiter<Wake, Never>>()
        /// Where the keys were last.
        var url: HTTP.URL?
        /// The fetch under way.
        var task: Task<Void, Never>?
    }

    private let server: KeyServer
    // The address of the keys, if it was given.
    private let givenURL: HTTP.URL?
    private let state: Lock<State>

    init(_ server: KeyServer, at givenURL: HTTP.URL?, _ policy: JSONWebKeySetPolicy) {
        self.server = server
        self.givenURL = givenURL
        state = Lock(State(decisions: KeySetState(policy), url: givenURL))
    }

    deinit { state.withLock { $0.task }?.cancel() }

    nonisolated(nonsending) func keys(
        for id: String?,
        _ algorithm: String,
        isRejecting: Bool,
        on call: Call
    ) async throws -> [VerificationKey] {
        let arrival = state.withLock { $0.decisions.fetches }
        while true {
            switch work(for: id, algorithm, since: arrival, isRejecting) {
            case .done(.use(let keys)), .done(.wait(orUse: let keys)): return keys
            case .done(.refuse(let error)): throw error
            case .waits(let waiter, let number, orUse: let keys):
                switch await wait(waiter, as: number, on: call, hasKeys: !keys.isEmpty) {
                case .fetched: break
                case .late where keys.isEmpty: throw AuthorizationServerError.late(server.issuer)
                case .late: return keys
                case .cancelled: throw CancellationError()
                }
            }
        }
    }

    private func work(
        for id: String?,
        _ algorithm: String,
        since arrival: Int,
        _ isRejecting: Bool
    ) -> Work {
        let now = server.client.runtime.now
        return state.withLock { state in
            let (step, begins) = state.decisions.step(
                for: id,
                algorithm,
                since: arrival,
                isRejecting: isRejecting,
                at: now
            )
            // Started under the lock, so that the end of this class finds a task to cancel.
            if begins { state.task = fetch(from: state.url) }
            guard case .wait(orUse: let keys) = step else { return .done(step) }
            let waiter = Waiter<Wake, Never>()
            return .waits(waiter, state.waiters.join(waiter), orUse: keys)
        }
    }

    private nonisolated(nonsending) func wait(
        _ waiter: Waiter<Wake, Never>,
        as number: Int,
        on call: Call,
        hasKeys: Bool
    ) async -> Wake {
        let wait = call.beginWait(for: "the keys of an issuer")
        defer { wait.end() }
        // With old keys, a call leaves itself time to go on with them.
        let end =
            hasKeys ? call.remaining.map { call.runtime.now.advanced(by: $0 / 2) } : call.deadline
        return await waiter.value(until: end, on: call.runtime, "time limit of a wait for keys") {
            leave(number, as: .cancelled)
        } onLimit: { [weak self] in
            self?.leave(number, as: .late)
        }
    }

    private func leave(_ number: Int, as wake: Wake) {
        state.withLock { $0.waiters.leave(number) }?.resume(returning: wake)
    }

    private func fetch(from url: HTTP.URL?) -> Task<Void, Never> {
        server.client.runtime.start("key set fetch") { [weak self, server] in
            let result = await server.keys(at: url)
            self?.finish(result)
        }
    }

    private func finish(_ result: Result<KeyServer.Keys, AuthorizationServerError>) {
        let runtime = server.client.runtime
        let (now, fraction) = (runtime.now, runtime.randomFraction())
        let waiters = state.withLock { state in
            state.task = nil
            // After a failure the metadata is read again: the keys may have moved.
            state.url = givenURL ?? (try? result.get())?.url
            state.decisions.finish(
                result.map { ($0.table, $0.lifetime) },
                at: now,
                fraction: fraction
            )
            return state.waiters.removeAll()
        }
        for waiter in waiters { waiter.resume(returning: .fetched) }
    }
}
#endif
