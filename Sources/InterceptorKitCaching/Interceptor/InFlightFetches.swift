import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// The requests under way for what may be stored, and the tasks that wait for one that is the same.
///
/// The first of several goes to the server, in its own task; the others wait until it is known whether
/// its response answers them too. If it is cancelled or runs out of time the next one goes.
final class InFlightFetches: Sendable {
    /// The parts that make two requests equal while neither response is known: URL, partition, and all
    /// fields.
    struct Identity: Hashable, Sendable {
        let key: CacheKey
        let headers: HTTP.Headers
    }

    enum Role: Sendable {
        /// Goes to the server; ``end(_:_:)`` says its outcome.
        case leads(CacheFetch)
        /// Has waited for one that has ended.
        case waited(Outcome)
    }

    /// The outcome of a request for its waiters.
    enum Outcome: Sendable {
        /// Its response is stored.
        case stored
        /// The server failed, and what is stored was served all the same.
        case stale
        /// Its response answers nobody else: each goes alone.
        case alone
        /// It was cancelled or ran out of time: the next one goes.
        case again
        /// It failed.
        case failed(any Error)
        /// The waiter was cancelled.
        case cancelled
        /// The waiter's time is over.
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

    /// A request that goes to the server; it counts as under way for as long as anybody has it.
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

    /// Goes to the server, or waits for the one that does, until the call's time is over, and no longer than
    /// a limit: then it goes alone.
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
        let patience = call.runtime.now.advanced(by: limit)
        let end = min(patience, call.deadline ?? patience)
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

    /// Whether the last response for a key could be stored, as far as is known: waiting for one that
    /// cannot answer others would only cost time.
    func isWorthWaiting(for key: CacheKey) -> Bool {
        state.withLock { !$0.unstorable.contains(key) }
    }

    func noteUnstorable(_ key: CacheKey) { state.withLock { $0.unstorable.insert(key) } }

    func noteStorable(_ key: CacheKey) { state.withLock { $0.unstorable.remove(key) } }

    /// Whether anybody waits.
    func isAwaited(_ identity: Identity) -> Bool {
        state.withLock { $0.waiters[identity]?.isEmpty == false }
    }

    /// Ends what ``join(_:_:)`` began, for tasks that wait and later ones.
    func end(_ identity: Identity, _ outcome: Outcome) {
        var waiters = state.withLock { $0.waiters.removeValue(forKey: identity) }
        for waiter in waiters?.removeAll() ?? [] { waiter.resume(returning: outcome) }
    }

    /// What is under way for a URL may be older than what an unsafe request has made of it.
    func outdate(_ url: String) {
        let fetches = state.withLock { $0.fetches[url]?.values.compactMap(\.fetch) ?? [] }
        for fetch in fetches { fetch.outdate() }
    }

    /// Asks the server in the background, unless that is under way.
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

/// A request under way to the server, whose response may be stored.
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

    /// Whether an unsafe request has changed the resource since: what is on its way may be older.
    var isOutdated: Bool { flags.load(ordering: .acquiring) & Flag.outdated != 0 }

    /// Whether its response was stored.
    var isStored: Bool { flags.load(ordering: .acquiring) & Flag.stored != 0 }

    /// Whether its response is stored while it is read.
    var isStoring: Bool { flags.load(ordering: .acquiring) & Flag.storing != 0 }

    fileprivate func outdate() { flags.bitwiseOr(Flag.outdated, ordering: .acquiringAndReleasing) }

    func noteStoring() { flags.bitwiseOr(Flag.storing, ordering: .acquiringAndReleasing) }

    func noteStored() { flags.bitwiseOr(Flag.stored, ordering: .acquiringAndReleasing) }
}

private struct WeakFetch {
    weak var fetch: CacheFetch?
}

/// The keys noted last.
private struct RecentKeys {
    // What is forgotten costs no more than one wait.
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
