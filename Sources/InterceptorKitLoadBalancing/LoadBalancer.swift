public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// The endpoints of a service with their load and health, among which a ``LoadBalancingInterceptor`` chooses.
///
/// ```swift
/// let balancer = LoadBalancer(["https://a.example.com", "https://b.example.com"])
/// ```
///
/// Keep it to inspect ``status(at:)``, change the set (``update(_:at:)``), follow a source of sets
/// (``follow(_:runtime:events:)``), and check health actively (``checkHealth(by:over:runtime:events:)``). Several
/// interceptors can share one balancer.
public final class LoadBalancer: Sendable {
    fileprivate struct Contents {
        var members: [Member] = []
        var groups: EndpointGroups?
        var generator: SplitMix64?
    }

    struct Choice: Sendable {
        let member: Member
        let began: Tick
    }

    /// The numbers that determine the health and load of endpoints.
    public let settings: LoadBalancingSettings
    /// The only origins that endpoints may have. Endpoints of other origins are refused.
    public let origins: [HTTP.Origin]
    /// The reason why the balancer cannot work; `nil` if it can.
    let problem: (any Error)?

    private let policy: any LoadBalancingPolicy
    private let numbers: BalancingNumbers
    private let contents: Lock<Contents>
    private let firstSet = FirstSet()

    /// Creates a balancer.
    /// - Parameters:
    ///   - endpoints: The initial endpoints.
    ///   - policy: The policy that chooses an endpoint. Defaults to ``LeastLatencyPolicy``.
    ///   - settings: The numbers that determine the health and load of endpoints. Defaults to the standard numbers.
    ///   - origins: The only origins that endpoints may have, now and after updates: those that credentials are meant
    ///     for. Defaults to the origins of `endpoints`.
    public init(
        _ endpoints: [ServiceEndpoint],
        policy: some LoadBalancingPolicy = LeastLatencyPolicy(),
        settings: LoadBalancingSettings = LoadBalancingSettings(),
        origins: [HTTP.Origin]? = nil
    ) {
        self.policy = policy
        let origins = origins ?? endpoints.compactMap(\.url.origin)
        self.origins = origins
        problem = Self.problem(of: endpoints, settings, origins)
        let isValid = (try? settings.validate()) != nil
        self.settings = isValid ? settings : LoadBalancingSettings()
        numbers = BalancingNumbers(self.settings)
        contents = Lock(Contents())
        replace(endpoints.filter { Self.problem(of: $0, origins) == nil }, newSince: nil)
    }

    /// The endpoints of the current set.
    public var endpoints: [ServiceEndpoint] { contents.withLock { $0.members.map(\.endpoint) } }

    /// Replaces the set of endpoints. Requests in flight are not affected; remaining endpoints keep their load and
    /// health.
    ///
    /// Endpoints that are invalid, or whose origin is not one of the balancer's ``origins``, are never used.
    /// - Parameters:
    ///   - endpoints: All endpoints of the new set. An empty set is ignored: the last set remains.
    ///   - now: The current instant, for the slow start of new endpoints.
    /// - Returns: The refused endpoints.
    @discardableResult
    public func update(
        _ endpoints: [ServiceEndpoint],
        at now: Runtime.Instant
    ) -> [ServiceEndpoint] {
        let allowed = endpoints.filter { Self.problem(of: $0, origins) == nil }
        if !allowed.isEmpty {
            let isFirst = contents.withLock { $0.members.isEmpty }
            replace(allowed, newSince: isFirst ? nil : now)
        }
        return endpoints.filter { !allowed.contains($0) }
    }

    private func replace(_ endpoints: [ServiceEndpoint], newSince: Runtime.Instant?) {
        contents.withLock { contents in
            var members: [Member] = []
            for endpoint in endpoints where !members.contains(where: { $0.isAt(endpoint) }) {
                if let known = contents.members.first(where: { $0.isAt(endpoint) }) {
                    known.take(weight: endpoint.weight, priority: endpoint.priority)
                    members.append(known)
                } else {
                    members.append(Member(endpoint, numbers, newSince: newSince))
                }
            }
            contents.members = members
            contents.groups = nil
        }
        if !endpoints.isEmpty { firstSet.arrive() }
    }

    var members: [Member] { contents.withLock { $0.members } }

    private static func problem(
        of endpoints: [ServiceEndpoint],
        _ settings: LoadBalancingSettings,
        _ origins: [HTTP.Origin]
    ) -> (any Error)? {
        do {
            try settings.validate()
            try SettingCheck(of: "LoadBalancer").origins(origins)
        } catch {
            return error
        }
        return endpoints.lazy.compactMap { problem(of: $0, origins) }.first
    }

    private static func problem(
        of endpoint: ServiceEndpoint,
        _ origins: [HTTP.Origin]
    ) -> (any Error)? {
        do {
            try endpoint.validate()
        } catch {
            return error
        }
        guard let origin = endpoint.url.origin, origins.contains(origin) else {
            return LoadBalancingError.foreign(endpoint, origins)
        }
        return nil
    }
}

extension LoadBalancer {
    /// Chooses an endpoint for an attempt, after waiting for the first endpoints.
    nonisolated(nonsending) func chooseFirst(
        for request: HTTP.Request,
        _ call: Call,
        within origin: HTTP.Origin?
    ) async throws -> Choice {
        if !members.isEmpty { throw LoadBalancingError.noEndpoints }
        try await firstSet.wait(atMost: settings.startTimeout, call)
        return try choose(for: request, call, within: origin, at: call.runtime.now)
    }

    /// Whether an endpoint has some origin.
    func hasEndpoint(at origin: HTTP.Origin) -> Bool {
        contents.withLock { $0.members.contains { $0.origin == origin } }
    }

    /// Chooses an endpoint for an attempt and increments its number of requests in flight.
    /// - Parameters:
    ///   - origin: The required origin; `nil` for any.
    ///   - isUntried: Whether the endpoint must be one that the call has not tried.
    func choose(
        for request: HTTP.Request,
        _ call: Call,
        within origin: HTTP.Origin?,
        at now: Runtime.Instant,
        isUntried: Bool = false
    ) throws(LoadBalancingError) -> Choice {
        let tick = now.tick
        let (inUse, random) = contents.withLock { contents in
            contents.update(settings, at: now)
            return (contents.members(call), contents.random(call))
        }
        var members = inUse
        if let origin { members = within(origin, members) }
        if isUntried || call.attempt > 1 {
            let others = untried(by: call, members, within: origin)
            members = others.isEmpty && !isUntried ? members.withoutLatest(of: call) : others
        }
        var candidates = EndpointCandidates(members: consume members, now: tick)
        while !candidates.isEmpty {
            let position = policy.choose(
                from: candidates,
                for: request,
                call: call,
                random: random
            )
            let index = candidates.indices.contains(position) ? position : 0
            let member = candidates.members[index]
            // The last candidate gets the attempt even if it is on trial.
            if member.begin(call, at: now, tick, isForced: candidates.count == 1) {
                return Choice(member: member, began: tick)
            }
            candidates.members.remove(at: index)
        }
        throw .noEndpoints
    }

    /// Records the end of an attempt.
    /// - Returns: The resulting change of the endpoint's health.
    func end(
        _ choice: Choice,
        _ ending: Member.Ending,
        _ call: Call,
        at now: Runtime.Instant
    ) -> EndpointHealth.Change? {
        let change = choice.member.end(
            ending,
            since: choice.began,
            at: now,
            jitter: call.runtime.randomFraction() * 2 - 1
        )
        if change != nil { healthChanged() }
        return change
    }

    func healthChanged() { contents.withLock { $0.groups = nil } }

    func isPanicking(at now: Runtime.Instant) -> Bool {
        contents.withLock { contents in
            contents.update(settings, at: now)
            return contents.groups?.isPanicking ?? false
        }
    }

    // A redirect or a complete URL names the endpoint, so its health is secondary.
    private func within(_ origin: HTTP.Origin, _ members: [Member]) -> [Member] {
        let same = members.filter { $0.origin == origin }
        return same.isEmpty ? self.members.filter { $0.origin == origin } : same
    }

    private func untried(
        by call: Call,
        _ members: [Member],
        within origin: HTTP.Origin?
    ) -> [Member] {
        let others = members.filter { $0.lastTry(of: call) == nil }
        if !others.isEmpty { return others }
        let inUse = contents.withLock { $0.groups?.groups.flatMap(\.members) ?? [] }
        return inUse.filter { member in
            member.lastTry(of: call) == nil && (origin == nil || member.origin == origin)
        }
    }
}

extension [Member] {
    /// All members except the one that the call tried last, unless there is no other.
    fileprivate func withoutLatest(of call: Call) -> [Member] {
        let times = map { $0.lastTry(of: call) ?? .min }
        let latest = times.max() ?? .max
        let earlier = zip(self, times).filter { $1 < latest }.map(\.0)
        return earlier.isEmpty ? self : earlier
    }
}

extension LoadBalancer.Contents {
    // Computed again after a change of health, or at the instant at which health changes by itself.
    fileprivate mutating func update(_ settings: LoadBalancingSettings, at now: Runtime.Instant) {
        if let groups, groups.until.map({ now < $0 }) ?? true { return }
        groups = EndpointGroups(members, settings, at: now)
    }

    // A random number is needed only if there are several groups.
    fileprivate mutating func members(_ call: Call) -> [Member] {
        guard let count = groups?.groups.count, count > 1 else {
            return groups?.groups.first?.members ?? []
        }
        let random = random(call)
        return groups?.members(by: random) ?? []
    }

    // Seeded once, because the system's generator is slower than the rest of a choice.
    fileprivate mutating func random(_ call: Call) -> UInt64 {
        if generator == nil { generator = SplitMix64(seed: call.runtime.random()) }
        return generator?.next() ?? 0
    }
}
