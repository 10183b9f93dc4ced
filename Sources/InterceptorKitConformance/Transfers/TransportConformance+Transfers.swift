public import InterceptorKit
import InterceptorKitTransfers

/// The requirements for a client's uploads and downloads over every transport, as a suite to run against your
/// own.
///
/// A transport that passes `TransportConformance` should pass this too; it shows that the engine handles
/// bodies, breaks and cancellation as files need it. `TransportConformance` checks one send; this suite
/// checks the result of many: a complete file, or none.
///
/// ```swift
/// let report = await TransferConformance.run(against: "MyTransport") { MyTransport() }
/// print(report)
/// #expect(report.isConformant)
/// ```
///
/// The report ends with one line, `conformance transfers MyTransport: 24 passed, 0 failed, 0 skipped`. While
/// a requirement is tried, its files are in the folder for temporary files.
public enum TransferConformance {
    /// Every requirement, in the order of the report.
    public static let requirements: [TransportConformance.Requirement] = [
        TransportConformance.Requirement.downloads,
        TransportConformance.Requirement.brokenDownloads,
        TransportConformance.Requirement.uploads, TransportConformance.Requirement.transfersAtOnce,
    ].flatMap(\.self)

    /// Tries every requirement and reports.
    /// - Parameters:
    ///   - name: The transport's name, for the report.
    ///   - exclusions: The requirements that the transport is known not to meet. Defaults to none.
    ///   - concurrency: The number of requirements tried at once, at least 1. Defaults to 4.
    ///   - timeLimit: The time limit of each requirement. Defaults to
    ///     `TransportConformance.defaultTimeLimit`.
    ///   - make: Makes a transport for each requirement; an error fails the requirement.
    public static func run(
        against name: String,
        excluding exclusions: [TransportConformance.Exclusion] = [],
        concurrency: Int = 4,
        timeLimit: Duration = TransportConformance.defaultTimeLimit,
        make: @escaping @Sendable () throws -> any Transport<HTTP.Request>
    ) async -> TransportConformance.Report {
        await TransportConformance.run(
            requirements,
            as: "transfers \(name)",
            excluding: exclusions,
            concurrency: concurrency,
            timeLimit: timeLimit,
            make: make
        )
    }
}
