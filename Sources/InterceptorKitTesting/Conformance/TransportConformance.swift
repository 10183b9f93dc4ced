public import InterceptorKit

/// What every transport of HTTP requests must do, as a suite to run against your own.
///
/// A chain relies on its transport to send what the innermost interceptor handed on, unchanged and
/// once, to bring back what was answered, to end in time, and to say truly what went wrong. Each of
/// these is a ``Requirement`` with a name; each is tried on a transport of its own against a
/// ``LoopbackServer`` of its own, several at once, and none for longer than its time. One that hangs has
/// failed.
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
/// What a platform's engine does wrong is written down, with the reason and where it was seen, and
/// passed to `run` as `excluding`:
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
/// It counts as skipped. It is tried all the same, and the report says when it passes, so that no
/// exclusion outlives its reason. An exclusion that names no requirement is a failure.
///
/// ## A requirement that ends the process
///
/// An engine may trap where an error would be right. Such a requirement is excluded with
/// ``Exclusion/endsProcess(_:because:seenOn:)`` and not tried in this process. Give `run`, as
/// `inAnotherProcess`, a function that tries it in another one and tells how that ended, and it is tried
/// there; without, it is only counted. With Swift Testing, on platforms that have exit tests:
///
/// ```swift
/// func inAnotherProcess(_ requirement: String) async -> TransportConformance.Verdict {
///     // The one requirement excluded so; `#expect` returns how the process ended.
///     let result = await #expect(processExitsWith: .failure) {
///         let verdict = await TransportConformance.check("delivers a body that has trailers") {
///             MyTransport()
///         }
///         exit(verdict == .passed ? 17 : 18)
///     }
///     return switch result?.exitStatus {
///     case .exitCode(17): .passed
///     case .exitCode(18): .failed("as its process reported")
///     default: .failed("its process ended")
///     }
/// }
/// ```
///
/// Elsewhere a small program that calls ``check(_:timeLimit:make:)`` for the name in its arguments
/// does as well.
///
/// A transport that blocks its caller's thread instead of suspending can hold up the whole suite; run
/// it in a process of its own.
public enum TransportConformance {
    /// How long a requirement may take unless it says more: far above what any needs, so that a loaded
    /// machine fails none.
    public static let defaultTimeLimit = Duration.seconds(20)

    /// Every requirement, in the order of the report.
    public static let requirements: [Requirement] = [
        Requirement.methods, Requirement.targets, Requirement.signedTargets,
        Requirement.requestFields,
        Requirement.refusals,
        Requirement.requestBodies, Requirement.statuses, Requirement.responseFields,
        Requirement.framing,
        Requirement.bodilessResponses, Requirement.interimResponses, Requirement.streaming,
        Requirement.encodings, Requirement.brokenConnections, Requirement.malformedResponses,
        Requirement.deadlines, Requirement.cancellations, Requirement.reuse,
        Requirement.singleSends,
        Requirement.concurrency, Requirement.policies,
    ].flatMap(\.self)

    /// Tries every requirement and reports.
    /// - Parameters:
    ///   - name: The transport's name, for the report.
    ///   - exclusions: What the transport is known not to do. Defaults to nothing.
    ///   - concurrency: How many requirements are tried at once, at least 1. Defaults to 8.
    ///   - timeLimit: How long each may take. Defaults to ``defaultTimeLimit``.
    ///   - inAnotherProcess: Tries a requirement that may end the process. Defaults to not trying it.
    ///   - make: Makes a transport. Called once a requirement; what it throws fails the requirement.
    public static func run(
        against name: String,
        excluding exclusions: [Exclusion] = [],
        concurrency: Int = 8,
        timeLimit: Duration = defaultTimeLimit,
        inAnotherProcess: (@Sendable (_ requirement: String) async -> Verdict)? = nil,
        make: @escaping @Sendable () throws -> any Transport<HTTP.Request>
    ) async -> Report {
        await run(
            requirements,
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
        inAnotherProcess: (@Sendable (_ requirement: String) async -> Verdict)? = nil,
        make: @escaping @Sendable () throws -> any Transport<HTTP.Request>
    ) async -> Report {
        let suite = Suite(
            exclusions: exclusions,
            timeLimit: timeLimit,
            inAnotherProcess: inAnotherProcess,
            make: make
        )
        let results = await suite.results(of: requirements, concurrency: max(1, concurrency))
        return Report(subject: subject, results: results + suite.idleExclusions(of: requirements))
    }

    /// Tries one requirement, as another process does for
    /// ``run(against:excluding:concurrency:timeLimit:inAnotherProcess:make:)`` and anyone who looks
    /// for the cause of a failure.
    /// - Parameters:
    ///   - requirement: Its name.
    ///   - timeLimit: How long it may take. Defaults to ``defaultTimeLimit``.
    ///   - make: Makes the transport.
    public static func check(
        _ requirement: String,
        timeLimit: Duration = defaultTimeLimit,
        make: @escaping @Sendable () throws -> any Transport<HTTP.Request>
    ) async -> Verdict {
        guard let found = requirements.first(where: { $0.name == requirement }) else {
            return .failed("There is no requirement of this name.")
        }
        return await found.verdict(within: timeLimit, make)
    }
}
