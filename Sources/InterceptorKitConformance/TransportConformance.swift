public import InterceptorKit

/// The requirements for every transport of HTTP requests, as a suite to run against your own.
///
/// A chain relies on its transport to send the request unchanged and once, to return the response, to end in time, and
/// to report errors correctly. Each of these is a ``Requirement`` with a name. Each is tried on its own transport
/// against its own `LoopbackServer`, several at once, within a time limit. A transport that hangs fails.
///
/// ## Run it against a transport
///
/// In a test, in any test library:
///
/// ```swift
/// let report = await TransportConformance.run(against: "MyTransport") { MyTransport() }
/// print(report)
/// #expect(report.isConformant)
/// ```
///
/// The report lists every requirement with its outcome and ends with one line,
/// `conformance transport MyTransport: 98 passed, 0 failed, 0 skipped`.
///
/// ## Exclude what a transport cannot do
///
/// If a platform's engine does something wrong, record it with the reason and where you observed it, and pass it to
/// `run` as `excluding`:
///
/// ```swift
/// let exclusions: [TransportConformance.Exclusion] = [
///     .limitation(
///         "delivers a response that has a field value in Latin-1",
///         because: "The engine takes UTF-8 alone.",
///         seenOn: "MyEngine 2.1"
///     ),
///     .notYet(
///         "sends what a stream has made before it makes more",
///         because: "Bodies are collected first.",
///         seenOn: "MyEngine 2.1"
///     ),
/// ]
/// ```
///
/// An excluded requirement counts as skipped. It is still tried, and the report says when it passes, so no exclusion
/// outlives its reason. An exclusion that names no requirement is a failure.
///
/// ## A requirement that ends the process
///
/// An engine may trap where it should throw. Exclude such a requirement with
/// ``Exclusion/endsProcess(_:because:seenOn:)``, and it is not tried in this process. To try it anyway, pass `run` a
/// function as `inAnotherProcess` that tries it in another process and reports how that ended; otherwise it is only
/// counted. With Swift Testing, on platforms with exit tests:
///
/// ```swift
/// func inAnotherProcess(_ requirement: String) async -> TransportConformance.TestResult {
///     // The one requirement excluded so; `#expect` returns how the process ended.
///     let result = await #expect(processExitsWith: .failure) {
///         let result = await TransportConformance.check("delivers a body that has trailers") {
///             MyTransport()
///         }
///         exit(result == .passed ? 17 : 18)
///     }
///     return switch result?.exitStatus {
///     case .exitCode(17): .passed
///     case .exitCode(18): .failed("as its process reported")
///     default: .failed("its process ended")
///     }
/// }
/// ```
///
/// On other platforms, use a small program that calls ``check(_:timeLimit:make:)`` for the name in its arguments.
///
/// A transport that blocks its caller's thread instead of suspending can delay the whole suite; run it in a separate
/// process.
public enum TransportConformance {
    /// The default time limit of a requirement: far more than any needs, so that none fails on a loaded machine.
    public static let defaultTimeLimit = Duration.seconds(20)

    /// Every requirement of a transport without a proxy, in the order of the report.
    public static let requirements: [Requirement] = [
        Requirement.methods, Requirement.targets, Requirement.signedTargets,
        Requirement.addresses,
        Requirement.requestFields,
        Requirement.refusals,
        Requirement.requestBodies, Requirement.statuses, Requirement.responseFields,
        Requirement.framing,
        Requirement.bodilessResponses, Requirement.interimResponses, Requirement.streaming,
        Requirement.encodings, Requirement.brokenConnections, Requirement.malformedResponses,
        Requirement.deadlines, Requirement.cancellations, Requirement.crossings, Requirement.reuse,
        Requirement.singleSends,
        Requirement.concurrency, Requirement.policies,
    ].flatMap(\.self)

    /// Tries every requirement and reports.
    /// - Parameters:
    ///   - name: The transport's name, for the report.
    ///   - exclusions: The requirements that the transport is known not to meet. Defaults to none.
    ///   - concurrency: The number of requirements tried at once, at least 1. Defaults to 8.
    ///   - timeLimit: The time limit of each requirement. Defaults to ``defaultTimeLimit``.
    ///   - inAnotherProcess: Tries a requirement that may end the process. Defaults to not trying it.
    ///   - makeBehindProxy: Makes a transport whose requests go through the HTTP proxy at a URL. Defaults to `nil`:
    ///     the requirements with a proxy, which are not among ``requirements``, are not tried.
    ///   - make: Creates a transport for each requirement; an error fails the requirement.
    public static func run(
        against name: String,
        excluding exclusions: [Exclusion] = [],
        concurrency: Int = 8,
        timeLimit: Duration = defaultTimeLimit,
        inAnotherProcess: (@Sendable (_ requirement: String) async -> TestResult)? = nil,
        makeBehindProxy: (@Sendable (_ proxy: HTTP.URL) throws -> any Transport<HTTP.Request>)? =
            nil,
        make: @escaping @Sendable () throws -> any Transport<HTTP.Request>
    ) async -> Report {
        await run(
            requirements + (makeBehindProxy.map(Requirement.proxies) ?? []),
            as: "transport \(name)",
            excluding: exclusions,
            concurrency: concurrency,
            timeLimit: timeLimit,
            inAnotherProcess: inAnotherProcess,
            make: make
        )
    }

    package static func run(
        _ requirements: [Requirement],
        as subject: String,
        excluding exclusions: [Exclusion] = [],
        concurrency: Int = 8,
        timeLimit: Duration = defaultTimeLimit,
        runtime: Runtime = .live,
        inAnotherProcess: (@Sendable (_ requirement: String) async -> TestResult)? = nil,
        make: @escaping @Sendable () throws -> any Transport<HTTP.Request>
    ) async -> Report {
        let suite = Suite(
            exclusions: exclusions,
            timeLimit: timeLimit,
            runtime: runtime,
            inAnotherProcess: inAnotherProcess,
            make: make
        )
        let results = await suite.results(of: requirements, concurrency: max(1, concurrency))
        return Report(subject: subject, results: results + suite.idleExclusions(of: requirements))
    }

    /// Tries one requirement, in another process for
    /// ``run(against:excluding:concurrency:timeLimit:inAnotherProcess:makeBehindProxy:make:)``, or to find the cause of
    /// a failure.
    /// - Parameters:
    ///   - requirement: The requirement's name.
    ///   - timeLimit: The time limit. Defaults to ``defaultTimeLimit``.
    ///   - make: Makes the transport.
    public static func check(
        _ requirement: String,
        timeLimit: Duration = defaultTimeLimit,
        make: @escaping @Sendable () throws -> any Transport<HTTP.Request>
    ) async -> TestResult {
        guard let found = requirements.first(where: { $0.name == requirement }) else {
            return .failed("There is no requirement of this name.")
        }
        return await found.result(within: timeLimit, make)
    }
}
