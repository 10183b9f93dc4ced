import ConformanceReference
import InterceptorKitConcurrency
import Synchronization

@testable import InterceptorKitConformance

extension TransportConformance.Requirement {
    static let fine = Self("is fine") { _ in }
    static let broken = Self("is broken") { _ in throw ExpectationFailure("It broke.") }
    static let hanging = Self("hangs") { _ in
        await withCheckedContinuation { (never: CheckedContinuation<Void, Never>) in
            left.withLock { $0.append(never) }
        }
    }

    private static let left = Lock<[CheckedContinuation<Void, Never>]>([])

    static func endHanging() { for waiting in left.withLock(\.self) { waiting.resume() } }
}

/// The result of requirements that need no transport.
func report(
    _ requirements: [TransportConformance.Requirement],
    excluding exclusions: [TransportConformance.Exclusion] = [],
    concurrency: Int = 8,
    inAnotherProcess: (@Sendable (String) async -> TransportConformance.TestResult)? = nil
) async -> TransportConformance.Report {
    await TransportConformance.run(
        requirements,
        as: "transport test",
        excluding: exclusions,
        concurrency: concurrency,
        timeLimit: .milliseconds(100),
        inAnotherProcess: inAnotherProcess
    ) { ReferenceTransport() }
}
