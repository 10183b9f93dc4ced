public import InterceptorKit
public import InterceptorKitSharedState
public import InterceptorKitSigning
public import InterceptorKitTesting

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
/// The report ends with one line, `conformance stores MyStore: 24 passed, 0 failed, 0 skipped`. Requirements
/// use keys of their own, so a store may be shared by them and may hold other records.
public enum StoreConformance {
    /// The stores of one engine; a kind that is `nil` is not tried.
    public struct Stores: Sendable {
        /// The store of idempotency records.
        public var idempotency: (any IdempotencyStore)?
        /// The store of used nonces.
        public var nonces: (any NonceStore)?

        /// Creates the stores to try.
        /// - Parameters:
        ///   - idempotency: The store of idempotency records. Defaults to none.
        ///   - nonces: The store of used nonces. Defaults to none.
        public init(
            idempotency: (any IdempotencyStore)? = nil,
            nonces: (any NonceStore)? = nil
        ) {
            self.idempotency = idempotency
            self.nonces = nonces
        }
    }

    /// Tries every requirement of the kinds that an engine has, and reports.
    /// - Parameters:
    ///   - name: The engine's name, for the report.
    ///   - exclusions: The requirements that the stores are known not to meet. Defaults to none.
    ///   - concurrency: The number of requirements tried at once, at least 1. Defaults to 8.
    ///   - timeLimit: The time limit of each requirement. Defaults to
    ///     `TransportConformance.defaultTimeLimit`.
    ///   - lease: The shortest lease that the store keeps to, which requirements wait out. Defaults to 1 s.
    ///   - runtime: The clock that the requirements wait on; that of the stores, if they have one. Defaults to
    ///     real time.
    ///   - make: Makes the stores, once for all requirements; an error is the one failure of the report.
    public static func run(
        against name: String,
        excluding exclusions: [TransportConformance.Exclusion] = [],
        concurrency: Int = 8,
        timeLimit: Duration = TransportConformance.defaultTimeLimit,
        lease: Duration = .seconds(1),
        runtime: Runtime = .live,
        make: @escaping @Sendable () async throws -> Stores
    ) async -> TransportConformance.Report {
        let requirements: [TransportConformance.Requirement]
        do {
            requirements = Self.requirements(of: try await make(), lease: lease, on: runtime)
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
            make: { UnusedTransport() }
        )
    }

    private static func requirements(
        of stores: Stores,
        lease: Duration,
        on runtime: Runtime
    ) -> [TransportConformance.Requirement] {
        let kinds: [[TransportConformance.Requirement]] = [
            stores.idempotency.map { store in
                StoreRequirement.idempotency.map {
                    $0.requirement(of: store, lease: lease, on: runtime)
                }
            } ?? [],
            stores.nonces.map { store in
                StoreRequirement.nonces.map { $0.requirement(of: store, lease: lease, on: runtime) }
            } ?? [],
        ]
        return kinds.flatMap(\.self)
    }
}

/// In the place of the transport that the suite for transports tries.
private struct UnusedTransport: Transport {
    nonisolated(nonsending) func send(_ request: HTTP.Request, call: Call) async throws
        -> HTTP.Response
    {
        throw ExpectationFailure("A requirement of stores sends no request.")
    }
}
