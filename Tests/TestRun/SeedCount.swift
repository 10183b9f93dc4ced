import Foundation

/// How many seeds a property is tried with, unless it says another number: `INTERCEPTORKIT_SEEDS`, or 25.
package let seedCount = variable("INTERCEPTORKIT_SEEDS").flatMap { UInt64($0) } ?? 25

/// How many cases a campaign has: few, or all of them where `INTERCEPTORKIT_SEEDS` is 100 or more, as in
/// `Scripts/check --all`.
package func cases<Count: BinaryInteger>(_ few: Count, of all: Count) -> Count {
    seedCount < 100 ? few : all
}

/// How many hours a simulated soak lasts: `INTERCEPTORKIT_SOAK`, or 1.
package let soakHours = variable("INTERCEPTORKIT_SOAK").flatMap { Int($0) } ?? 1

/// How many events an engine's stream delivers over its breaks: `INTERCEPTORKIT_STREAM`, or 2,000. One break
/// comes for each 100 events, 50 at least.
package let streamedEvents = variable("INTERCEPTORKIT_STREAM").flatMap { Int($0) } ?? 2000

/// How many replicas of a fleet are killed: `INTERCEPTORKIT_KILLS`, or 12. A store that they share restarts once
/// for each 20 of them, and once at least.
package let killCount = variable("INTERCEPTORKIT_KILLS").flatMap { Int($0) } ?? 12

private func variable(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }
