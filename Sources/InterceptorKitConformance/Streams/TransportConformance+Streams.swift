public import InterceptorKit
import InterceptorKitStreaming

extension TransportConformance {
    /// Every requirement for streams, in the order of the report.
    public static let streamRequirements: [Requirement] = [
        Requirement.eventArrivals,
        Requirement.resumptions,
        Requirement.streamEndings,
        Requirement.reconnectionWaits,
        Requirement.streamRequests,
        Requirement.streamReleases,
        Requirement.linesAndRecords,
        Requirement.modelStreams,
    ].flatMap(\.self)

    /// Tries every requirement for streams of lines, records and events over a transport, and reports.
    ///
    /// A transport that passes the suite `run` should pass this suite too, which checks that the engine returns bytes
    /// as they arrive, distinguishes a break from an end, and releases connections.
    ///
    /// ```swift
    /// let report = await TransportConformance.runStreams(against: "MyTransport") { MyTransport() }
    /// print(report)
    /// #expect(report.isConformant)
    /// ```
    ///
    /// The report ends with one line, `conformance sse-resume MyTransport: 51 passed, 0 failed, 0 skipped`. Waits take
    /// real time, at most one second each.
    /// - Parameters:
    ///   - name: The transport's name, for the report.
    ///   - exclusions: The requirements that the transport is known not to meet. Defaults to none.
    ///   - concurrency: The number of requirements tried at once, at least 1. Defaults to 8.
    ///   - timeLimit: The time limit of each requirement. Defaults to ``defaultTimeLimit``.
    ///   - make: Creates a transport for each requirement; an error fails the requirement.
    public static func runStreams(
        against name: String,
        excluding exclusions: [Exclusion] = [],
        concurrency: Int = 8,
        timeLimit: Duration = defaultTimeLimit,
        make: @escaping @Sendable () throws -> any Transport<HTTP.Request>
    ) async -> Report {
        await run(
            streamRequirements,
            as: "sse-resume \(name)",
            excluding: exclusions,
            concurrency: concurrency,
            timeLimit: timeLimit,
            make: make
        )
    }
}
