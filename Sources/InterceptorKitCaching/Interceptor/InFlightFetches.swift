import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// The requests in flight whose responses may be stored, and the tasks that wait for an equal one.
///
/// The first of several equal requests goes to the server in its own task; the others wait until it is known whether
/// they can use its response. If the first one is cancelled or times out, the next one goes.
final class InFlightFetches: Sendable {
    /// The URL, partition and fields that make requests equal before their responses are known.
    struct Identity: Hashable, Sendable {
        let key: CacheKey
        let headers: HTTP.Headers
    }

    enum Role: Sendable {
        /// The task sends the request, and calls ``end(_:_:)`` with the outcome.
        case leads(CacheFetch)
        /// The task waited for an equal request, which has ended.
        case waited(Outcome)
    }

    /// The result of a request for the tasks that wait for it.
    enum Outcome: Sendable {
        /// The response is stored.
        case stored
        /// The server failed, and a stale response was served.
        case stale
        /// No other task can use the response: each sends its own request.
        case alone
        /// The request was cancelled or timed out: the next task sends its own.
        case retry
        /// The request failed.
        case failed(any Error)
        /// The waiting task was cancelled.
        case cancelled
        /// The waiting task's call ran out of time.
        case timedOut
    }

    private struct State {
        var waiters: [Identity: WaiterQueue<Waiter<Outcome, Never>>] = [:]
        var fetches: [String: [Int: WeakFetch]] = [:]
        var revalidations: [CacheKey: Task<Void, Never>] = [:]
        var unstorable = RecentKeys()
        var lastID = 0
    }

    private let state = Lock(State())

    /// Begins a request, which counts as in flight until its last reference is released.
    func begin(_ url: String) -> CacheFetch {
        state.withLock { state in
            state.lastID += 1
            let fetch = CacheFetch(id: state.lastID, url: url, among: self)
            state.fetches[url, default: [:]][fetch.id] = WeakFetch(fetch: fetch)
            return fetch
        }
    }

    fileprivate func remove(_ id: Int, _ url: String) {
        state.withLock { state in
            state.fetches[url]?[id] = nil
            if state.fetches[url]?.isEmpty == true { state.fetches[url] = nil }
        }
    }

    /// Leads a request, or waits for an equal one until the call's deadline, or up to a limit, after which it goes
    /// alone.
    nonisolated(nonsending) func join(
        _ identity: Identity,
        _ call: Call,
        waitingUpTo limit: Duration
    ) async -> Role {
        let joined = state.withLock { state -> (id: Int, waiter: Waiter<Outcome, Never>)? in
            guard state.waiters[identity] != nil else {
                state.waiters[identity] = WaiterQueue()
                return nil
            }
            state.lastID += 1
            let waiter = Waiter<Outcome, Never>()
            state.waiters[identity]?.join(waiter, as: state.lastID)
            return (state.lastID, waiter)
        }
        guard let (id, waiter) = joined else { return .leads(begin(identity.key.url)) }
        let wait = call.beginWait(for: "the same request of another")
        defer { wait.end() }
        let limitEnd = call.runtime.now.advanced(by: limit)
        let end = min(limitEnd, call.deadline ?? limitEnd)
        let outcome: Outcome = end == call.deadline ? .timedOut : .alone
        return .waited(
            await waiter.value(
                until: end,
                on: call.runtime,
                "time limit of a wait for another's response"
            ) {
                leave(id, identity, .cancelled)
            } onLimit: { [weak self] in
                self?.leave(id, identity, outcome)
            }
        )
    }

    private func leave(_ id: Int, _ identity: Identity, _ outcome: Outcome) {
        state.withLock { $0.waiters[identity]?.leave(id) }?.resume(returning: outcome)
    }

    /// Whether the last known response for a key could be stored. If not, waiting for an equal request only costs time.
    func isWorthWaiting(for key: CacheKey) -> Bool {
        state.withLock { !$0.unstorable.contains(key) }
    }

    func noteUnstorable(_ key: CacheKey) { state.withLock { $0.unstorable.insert(key) } }

    func noteStorable(_ key: CacheKey) { state.withLock { $0.unstorable.remove(key) } }

    func isAwaited(_ identity: Identity) -> Bool {
        state.withLock { $0.waiters[identity]?.isEmpty == false }
    }

    /// Ends the request that ``join(_:_:)`` began: wakes the waiting tasks, and lets later ones begin anew.
    func end(_ identity: Identity, _ outcome: Outcome) {
        var waiters = state.withLock { $0.waiters.removeValue(forKey: identity) }
        for waiter in waiters?.removeAll() ?? [] { waiter.resume(returning: outcome) }
    }

    /// Marks the requests in flight for a URL as outdated, after an unsafe request.
    func outdate(_ url: String) {
        let fetches = state.withLock { $0.fetches[url]?.values.compactMap(\.fetch) ?? [] }
        for fetch in fetches { fetch.outdate() }
    }

    /// Starts a background validation of a key, unless one is in flight.
    func revalidate(_ key: CacheKey, start: () -> Task<Void, Never>) {
        state.withLock { state in
            guard state.revalidations[key] == nil else { return }
            state.revalidations[key] = start()
        }
    }

    func endRevalidation(_ key: CacheKey) {
        state.withLock { $0.revalidations[key] = nil }
    }
}

final class CacheFetch: Sendable {
    private enum Flag {
        static let outdated: UInt8 = 1
        static let stored: UInt8 = 2
        static let storing: UInt8 = 4
    }

    let url: String
    fileprivate let id: Int
    private let fetches: InFlightFetches
    private let flags = Atomic<UInt8>(0)

    fileprivate init(id: Int, url: String, among fetches: InFlightFetches) {
        self.id = id
        self.url = url
        self.fetches = fetches
    }

    deinit { fetches.remove(id, url) }

    /// Whether an unsafe request has changed the resource since: the response may be older than the change.
    var isOutdated: Bool { flags.load(ordering: .acquiring) & Flag.outdated != 0 }

    var isStored: Bool { flags.load(ordering: .acquiring) & Flag.stored != 0 }

    var isStoring: Bool { flags.load(ordering: .acquiring) & Flag.storing != 0 }

    fileprivate func outdate() { flags.bitwiseOr(Flag.outdated, ordering: .acquiringAndReleasing) }

    func noteStoring() { flags.bitwiseOr(Flag.storing, ordering: .acquiringAndReleasing) }

    func noteStored() { flags.bitwiseOr(Flag.stored, ordering: .acquiringAndReleasing) }
}

private struct WeakFetch {
    weak var fetch: CacheFetch?
}

private struct RecentKeys {
    // Forgetting a key costs at most one wait.
    private static let limit = 1024

    private var keys: Set<CacheKey> = []
    private var order: [CacheKey] = []

    func contains(_ key: CacheKey) -> Bool { keys.contains(key) }

    mutating func insert(_ key: CacheKey) {
        guard keys.insert(key).inserted else { return }
        order.append(key)
        guard order.count > Self.limit else { return }
        let half = order.prefix(Self.limit / 2)
        keys.subtract(half)
        order.removeFirst(half.count)
    }

    mutating func remove(_ key: CacheKey) {
        guard keys.remove(key) != nil else { return }
        order.removeAll { $0 == key }
    }
}
