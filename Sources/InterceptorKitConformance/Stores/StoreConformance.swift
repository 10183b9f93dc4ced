public import InterceptorKit
public import InterceptorKitSharedState
public import InterceptorKitSigning

/// The requirements for stores that replicas share, as a suite to run against your own.
///
/// ```swift
/// let report = await StoreConformance.run(against: "MyStore") {
///     StoreConformance.Stores(idempotency: MyIdempotencyStore())
/// }
/// print(report)
/// #expect(report.isConformant)
/// ```
///
/// The report ends with one line, `conformance stores MyStore: 33 passed, 0 failed, 0 skipped`. Each requirement uses
/// keys of its own, so it may be tried with a store in use by others. For a server, return the same value each time, so
/// that requirements share its connections.
public enum StoreConformance {
    /// The stores of one engine; a kind that is `nil` is not tried.
    public struct Stores: Sendable {
        /// The store of idempotency records.
        public var idempotency: (any IdempotencyStore)?
        /// The store of used nonces.
        public var nonces: (any NonceStore)?
        /// The store of rate limits.
        public var rateLimits: (any RateLimitStore)?

        /// Creates the stores to try.
        /// - Parameters:
        ///   - idempotency: The store of idempotency records. Defaults to none.
        ///   - nonces: The store of used nonces. Defaults to none.
        ///   - rateLimits: The store of rate limits. Defaults to none.
        public init(
            idempotency: (any IdempotencyStore)? = nil,
            nonces: (any NonceStore)? = nil,
            rateLimits: (any RateLimitStore)? = nil
        ) {
            self.idempotency = idempotency
            self.nonces = nonces
            self.rateLimits = rateLimits
        }
    }

    /// Tries every requirement for the kinds of stores that an engine has, and reports.
    /// - Parameters:
    ///   - name: The engine's name, for the report.
    ///   - exclusions: The requirements that the stores are known not to meet. Defaults to none.
    ///   - concurrency: The number of requirements tried at once, at least 1. Defaults to 8.
    ///   - timeLimit: The time limit of each requirement. Defaults to `TransportConformance.defaultTimeLimit`.
    ///   - lease: The shortest lease that the store observes, which requirements wait out. Defaults to 1 s.
    ///   - runtime: The clock that the requirements wait on; that of the stores, if they have one. Defaults to real
    ///     time.
    ///   - make: Creates the stores, once to find the kinds and then for each requirement; an error fails the step it
    ///     was called for.
    public static func run(
        against name: String,
        excluding exclusions: [TransportConformance.Exclusion] = [],
        concurrency: Int = 8,
        timeLimit: Duration = TransportConformance.defaultTimeLimit,
        lease: Duration = .seconds(1),
        runtime: Runtime = .live,
        make: @escaping @Sendable () async throws -> Stores
    ) async -> TransportConformance.Report {
        @Sendable func context<Store>(_ store: Store?) -> StoreRequirement<Store>.Context? {
            store.map { StoreRequirement.Context(store: $0, lease: lease, runtime: runtime) }
        }
        let requirements: [TransportConformance.Requirement]
        do {
            let kinds = try await make()
            requirements =
                Self.requirements(if: kinds.idempotency != nil, StoreRequirement.idempotency) {
                    context(try await make().idempotency)
                }
                + Self.requirements(if: kinds.nonces != nil, StoreRequirement.nonces) {
                    context(try await make().nonces)
                }
                + Self.requirements(if: kinds.rateLimits != nil, StoreRequirement.rateLimits) {
                    context(try await make().rateLimits)
                }
        } catch {
            requirements = [
                TransportConformance.Requirement("makes its stores") { _ in throw error }
            ]
        }
        return await TransportConformance.run(
            requirements,
            as: "stores \(name)",
            excluding: exclusions,
            concurrency: concurrency,
            timeLimit: timeLimit,
            runtime: runtime,
            make: { UnusedTransport() }
        )
    }

    private static func requirements<Store>(
        if isTried: Bool,
        _ requirements: [StoreRequirement<Store>],
        _ make: @escaping @Sendable () async throws -> StoreRequirement<Store>.Context?
    ) -> [TransportConformance.Requirement] {
        guard isTried else { return [] }
        return requirements.map { $0.requirement(with: make) }
    }
}

/// Stands in for the transport, which requirements of stores do not use.
private struct UnusedTransport: Transport {
    nonisolated(nonsending) func send(_ request: HTTP.Request, call: Call) async throws
        -> HTTP.Response
    {
        throw ExpectationFailure("A requirement of stores sends no request.")
    }
}
