public import InterceptorKit
public import InterceptorKitTesting
import InterceptorKitTransfers

/// What uploads and downloads of a client do over every transport, as a suite to run against your own.
///
/// A transport that passes `TransportConformance` should pass this too; it shows that the engine's
/// way with bodies, breaks and cancellation is what files need. Where `TransportConformance` looks at one
/// send, this looks at the result of many: a file that is whole, or none.
///
/// ```swift
/// let report = await TransferConformance.run(against: "MyTransport") { MyTransport() }
/// print(report)
/// #expect(report.isConformant)
/// ```
///
/// The report ends with one line, `conformance transfers MyTransport: 24 passed, 0 failed, 0 skipped`.
/// Files lie in the folder for temporary files while a requirement is tried.
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
    ///   - exclusions: What the transport is known not to do. Defaults to nothing.
    ///   - concurrency: How many requirements are tried at once, at least 1. Defaults to 4.
    ///   - timeLimit: How long each may take. Defaults to
    ///     `TransportConformance.defaultTimeLimit`.
    ///   - make: Makes a transport. Called once a requirement; what it throws fails the requirement.
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
