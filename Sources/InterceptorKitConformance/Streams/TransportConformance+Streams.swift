public import InterceptorKit
import InterceptorKitStreaming

/// The requirements for streams of lines, records and events over every transport, as a suite to run against
/// your own.
///
/// A transport that passes `TransportConformance` should pass this too; it shows that the engine hands over
/// bytes when they come, tells a break from an end, and releases connections, as streams need it.
///
/// ```swift
/// let report = await StreamConformance.run(against: "MyTransport") { MyTransport() }
/// print(report)
/// #expect(report.isConformant)
/// ```
///
/// The report ends with one line, `conformance sse-resume MyTransport: 51 passed, 0 failed, 0 skipped`. Waits
/// are of real time, the longest one second.
public enum StreamConformance {
    /// Every requirement, in the order of the report.
    public static let requirements: [TransportConformance.Requirement] = [
        TransportConformance.Requirement.eventArrivals,
        TransportConformance.Requirement.resumptions,
        TransportConformance.Requirement.streamEndings,
        TransportConformance.Requirement.reconnectionWaits,
        TransportConformance.Requirement.streamRequests,
        TransportConformance.Requirement.streamReleases,
        TransportConformance.Requirement.linesAndRecords,
        TransportConformance.Requirement.modelStreams,
    ].flatMap(\.self)

    /// Tries every requirement and reports.
    /// - Parameters:
    ///   - name: The transport's name, for the report.
    ///   - exclusions: The requirements that the transport is known not to meet. Defaults to none.
    ///   - concurrency: The number of requirements tried at once, at least 1. Defaults to 8.
    ///   - timeLimit: The time limit of each requirement. Defaults to
    ///     `TransportConformance.defaultTimeLimit`.
    ///   - make: Makes a transport for each requirement; an error fails the requirement.
    public static func run(
        against name: String,
        excluding exclusions: [TransportConformance.Exclusion] = [],
        concurrency: Int = 8,
        timeLimit: Duration = TransportConformance.defaultTimeLimit,
        make: @escaping @Sendable () throws -> any Transport<HTTP.Request>
    ) async -> TransportConformance.Report {
        await TransportConformance.run(
            requirements,
            as: "sse-resume \(name)",
            excluding: exclusions,
            concurrency: concurrency,
            timeLimit: timeLimit,
            make: make
        )
    }
}
