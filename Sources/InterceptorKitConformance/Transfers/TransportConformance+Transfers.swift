public import InterceptorKit
import InterceptorKitTransfers

extension TransportConformance {
    /// Every requirement for uploads and downloads, in the order of the report.
    public static let transferRequirements: [Requirement] = [
        Requirement.downloads,
        Requirement.brokenDownloads,
        Requirement.uploads, Requirement.transfersAtOnce,
    ].flatMap(\.self)

    /// Tries every requirement for a client's uploads and downloads over a transport, and reports.
    ///
    /// A transport that passes the suite `run` should pass this suite too. `run` checks single sends; this suite checks
    /// the result of many: a complete file, or none, after breaks and cancellation.
    ///
    /// ```swift
    /// let report = await TransportConformance.runTransfers(against: "MyTransport") {
    ///     MyTransport()
    /// }
    /// print(report)
    /// #expect(report.isConformant)
    /// ```
    ///
    /// The report ends with one line, `conformance transfers MyTransport: 24 passed, 0 failed, 0 skipped`. During a
    /// requirement, its files are in the folder for temporary files.
    /// - Parameters:
    ///   - name: The transport's name, for the report.
    ///   - exclusions: The requirements that the transport is known not to meet. Defaults to none.
    ///   - concurrency: The number of requirements tried at once, at least 1. Defaults to 4.
    ///   - timeLimit: The time limit of each requirement. Defaults to ``defaultTimeLimit``.
    ///   - make: Creates a transport for each requirement; an error fails the requirement.
    public static func runTransfers(
        against name: String,
        excluding exclusions: [Exclusion] = [],
        concurrency: Int = 4,
        timeLimit: Duration = defaultTimeLimit,
        make: @escaping @Sendable () throws -> any Transport<HTTP.Request>
    ) async -> Report {
        await run(
            transferRequirements,
            as: "transfers \(name)",
            excluding: exclusions,
            concurrency: concurrency,
            timeLimit: timeLimit,
            make: make
        )
    }
}
