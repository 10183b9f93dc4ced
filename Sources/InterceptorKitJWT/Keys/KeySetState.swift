#if JWT
import InterceptorKit

/// Decides which keys a call gets, and when the keys of an issuer are fetched. It gets the time, and fetches nothing.
struct KeySetState: Sendable {
    /// What a call does now.
    enum Step {
        /// It goes on with these keys. None: the issuer has no such key.
        case use([VerificationKey])
        /// It waits for the fetch under way, or goes on with these keys if that takes too long.
        case wait(orUse: [VerificationKey])
        case refuse(AuthorizationServerError)
    }

    private struct Held {
        let table: KeyTable
        let refreshAt: Runtime.Instant
        let freshUntil: Runtime.Instant
        let usableUntil: Runtime.Instant
    }

    private struct Failure {
        let error: AuthorizationServerError
        let retryAt: Runtime.Instant
        let count: Int
    }

    // Nimbus JOSE refreshes 30 s before the end of its 5 minutes.
    private static let longestMargin: Duration = .seconds(30)

    private let policy: JSONWebKeySetPolicy
    private var held: Held?
    /// The last fetch, if it failed.
    private var failure: Failure?
    private var isFetching = false
    /// The number of fetches that have begun.
    private(set) var fetches = 0
    // A bucket of fetches for unknown keys, as the instant at which it is full again.
    private var fullAt = Runtime.Instant(offset: .zero)
    /// The key for which the fetch under way is one of these.
    private var unknownID: String?
    // What such a fetch costs of the bucket if it finds the key, which is the issuer's doing and no forger's.
    private static let costOfFound: Duration = .seconds(1)

    init(_ policy: JSONWebKeySetPolicy) { self.policy = policy }

    /// Returns what a call does now, and whether a fetch begins, which the caller then has to run.
    /// - Parameters:
    ///   - id: The id of the key that the call needs; `nil` if its token names none.
    ///   - algorithm: The algorithm that the call needs.
    ///   - arrival: The number of fetches that had begun when the call came. Only one that began later shows that a key
    ///     is unknown, because the issuer may have answered an earlier one before it had the key.
    ///   - isRejecting: Whether the keys that are known did not make the signature.
    mutating func step(
        for id: String?,
        _ algorithm: String,
        since arrival: Int,
        isRejecting: Bool = false,
        at now: Runtime.Instant
    ) -> (step: Step, begins: Bool) {
        let held = held.flatMap { now < $0.usableUntil ? $0 : nil }
        let found = held?.table.keys(for: id, algorithm) ?? []
        let mayTry = !isFetching && now >= failure?.retryAt ?? now
        let hasLooked = fetches - (isFetching ? 1 : 0) > arrival
        if let held, !found.isEmpty, !isRejecting || hasLooked && failure == nil {
            // While the issuer is away, nobody waits for it.
            if now < held.freshUntil || failure != nil {
                return (.use(found), now >= held.refreshAt && mayTry && begin())
            }
            return (.wait(orUse: found), mayTry && begin())
        }
        if let held, held.table.knows(id) { return (.use([]), false) }
        let answer = failure.map { Step.refuse($0.error) } ?? .use([])
        if hasLooked, held != nil || failure != nil { return (answer, false) }
        if isFetching { return (.wait(orUse: []), false) }
        if mayTry, held == nil || takeFetch(for: id, at: now) { return (.wait(orUse: []), begin()) }
        return (answer, false)
    }

    private mutating func begin() -> Bool {
        isFetching = true
        fetches += 1
        return true
    }

    private mutating func takeFetch(for id: String?, at now: Runtime.Instant) -> Bool {
        let interval = policy.unknownKeyInterval
        guard fullAt <= now.advanced(by: interval * (policy.unknownKeyBurst - 1)) else {
            return false
        }
        fullAt = max(fullAt, now).advanced(by: interval)
        unknownID = id
        return true
    }

    /// Takes over what a fetch brought.
    /// - Parameters:
    ///   - stated: The lifetime that the response stated.
    ///   - fraction: A random number from 0 up to 1.
    mutating func finish(
        _ result: Result<(table: KeyTable, stated: Duration?), AuthorizationServerError>,
        at now: Runtime.Instant,
        fraction: Double
    ) {
        isFetching = false
        defer { unknownID = nil }
        switch result {
        case .success(let (table, stated)):
            if let unknownID, table.knows(unknownID) {
                let interval = policy.unknownKeyInterval
                fullAt = fullAt.advanced(by: min(interval, Self.costOfFound) - interval)
            }
            let lifetime = min(
                max(stated ?? policy.lifetime, policy.shortestLifetime),
                policy.longestLifetime
            )
            let freshUntil = now.advanced(by: lifetime)
            held = Held(
                table: table,
                refreshAt: freshUntil.advanced(by: .zero - min(lifetime / 10, Self.longestMargin)),
                freshUntil: freshUntil,
                usableUntil: freshUntil.advanced(by: policy.staleFor)
            )
            failure = nil
        case .failure(let error):
            let count = (failure?.count ?? 0).saturatingAdding(1)
            let wait = max(
                policy.backoff.delay(after: count, fraction: fraction),
                min(error.retryAfter ?? .zero, policy.lifetime)
            )
            failure = Failure(error: error, retryAt: now.advanced(by: wait), count: count)
        }
    }
}
#endif
