public import InterceptorKit

/// What every transport of HTTP requests must do, as a suite to run against one's own.
///
/// A chain relies on its transport to send what the innermost interceptor handed on, unchanged and
/// once, to bring back what was answered, to end in time, and to say truly what went wrong. Each of
/// these is a ``Behaviour`` with a name; each is tried on a transport of its own against a
/// ``LoopbackServer`` of its own, several at once, and none for longer than its time. One that hangs has
/// failed.
///
/// ## Run it against a transport
///
/// In a test, in any test library:
///
/// ```swift
/// @Test func conforms() async {
///     let report = await TransportConformance.run(against: "MyTransport") { MyTransport() }
///     print(report)
///     #expect(report.isConformant)
/// }
/// ```
///
/// The report lists every behaviour with its outcome and ends with one line,
/// `conformance transport MyTransport: 98 passed, 0 failed, 0 skipped`.
///
/// ## Exclude what a transport cannot do
///
/// What a platform's engine does wrong is written down, with the reason and where it was seen:
///
/// ```swift
/// let exclusions: [TransportConformance.Exclusion] = [
///     .limitation(
///         "delivers a field value in Latin-1",
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
/// exclusion outlives its reason. An exclusion that names no behaviour is a failure.
///
/// ## A behaviour that ends the process
///
/// An engine may trap where an error would be right. Such a behaviour is excluded with
/// ``Exclusion/endsProcess(_:because:seenOn:)`` and not tried in this process. Give `run` a function
/// that tries it in another one and tells how that ended, and it is tried there; without, it is only
/// counted. With Swift Testing, on platforms that have exit tests:
///
/// ```swift
/// let report = await TransportConformance.run(
///     against: "MyTransport", excluding: exclusions,
///     inAnotherProcess: { behaviour in
///         // The one behaviour excluded so; `#expect` returns how the process ended.
///         let result = await #expect(processExitsWith: .failure) {
///             let verdict = await TransportConformance.check(
///                 "delivers a body that has trailers") { MyTransport() }
///             exit(verdict == .passed ? 17 : 18)
///         }
///         return switch result?.exitStatus {
///         case .exitCode(17): .passed
///         case .exitCode(18): .failed("as its process reported")
///         default: .failed("its process ended")
///         }
///     }
/// ) { MyTransport() }
/// ```
///
/// Elsewhere a small program that calls ``check(_:timeLimit:make:)`` for the name in its arguments
/// does as well.
///
/// A transport that blocks its caller's thread instead of suspending can hold up the whole suite; run
/// it in a process of its own.
public enum TransportConformance {
    /// How long a behaviour may take unless it says more: far above what any needs, so that a loaded
    /// machine fails none.
    public static let defaultTimeLimit = Duration.seconds(20)

    /// Every behaviour, in the order of the report.
    public static let behaviours: [Behaviour] = [
        Behaviour.methods, Behaviour.targets, Behaviour.signedTargets, Behaviour.requestFields,
        Behaviour.refusals,
        Behaviour.requestBodies, Behaviour.statuses, Behaviour.responseFields, Behaviour.framing,
        Behaviour.bodilessAnswers, Behaviour.interimAnswers, Behaviour.streaming,
        Behaviour.encodings, Behaviour.brokenConnections, Behaviour.malformedAnswers,
        Behaviour.deadlines, Behaviour.cancellations, Behaviour.reuse, Behaviour.singleSends,
        Behaviour.concurrency, Behaviour.policies,
    ].flatMap(\.self)

    /// Tries every behaviour and reports.
    /// - Parameters:
    ///   - name: The transport's name, for the report.
    ///   - exclusions: What the transport is known not to do. Defaults to nothing.
    ///   - concurrency: How many behaviours are tried at once, at least 1. Defaults to 8.
    ///   - timeLimit: How long each may take. Defaults to ``defaultTimeLimit``.
    ///   - inAnotherProcess: Tries a behaviour that may end the process. Defaults to not trying it.
    ///   - make: Makes a transport. Called once a behaviour; what it throws fails the behaviour.
    public static func run(
        against name: String,
        excluding exclusions: [Exclusion] = [],
        concurrency: Int = 8,
        timeLimit: Duration = defaultTimeLimit,
        inAnotherProcess: (@Sendable (_ behaviour: String) async -> Verdict)? = nil,
        make: @escaping @Sendable () throws -> any Transport<HTTP.Request>
    ) async -> Report {
        await run(
            behaviours,
            as: "transport \(name)",
            excluding: exclusions,
            concurrency: concurrency,
            timeLimit: timeLimit,
            inAnotherProcess: inAnotherProcess,
            make: make
        )
    }

    package static func run(
        _ behaviours: [Behaviour],
        as subject: String,
        excluding exclusions: [Exclusion] = [],
        concurrency: Int = 8,
        timeLimit: Duration = defaultTimeLimit,
        inAnotherProcess: (@Sendable (_ behaviour: String) async -> Verdict)? = nil,
        make: @escaping @Sendable () throws -> any Transport<HTTP.Request>
    ) async -> Report {
        let suite = Suite(
            exclusions: exclusions,
            timeLimit: timeLimit,
            inAnotherProcess: inAnotherProcess,
            make: make
        )
        let results = await suite.results(of: behaviours, concurrency: max(1, concurrency))
        return Report(subject: subject, results: results + suite.idleExclusions(of: behaviours))
    }

    /// Tries one behaviour, as another process does for
    /// ``run(against:excluding:concurrency:timeLimit:inAnotherProcess:make:)`` and whoever looks
    /// for the cause of a failure.
    /// - Parameters:
    ///   - behaviour: Its name.
    ///   - timeLimit: How long it may take. Defaults to ``defaultTimeLimit``.
    ///   - make: Makes the transport.
    public static func check(
        _ behaviour: String,
        timeLimit: Duration = defaultTimeLimit,
        make: @escaping @Sendable () throws -> any Transport<HTTP.Request>
    ) async -> Verdict {
        guard let found = behaviours.first(where: { $0.name == behaviour }) else {
            return .failed("There is no behaviour of this name.")
        }
        return await found.verdict(within: timeLimit, make)
    }
}
