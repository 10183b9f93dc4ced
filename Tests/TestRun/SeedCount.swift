import Foundation

/// How many seeds a property is tried with, unless it says another number: `INTERCEPTORKIT_SEEDS`, or 100.
package let seedCount = variable("INTERCEPTORKIT_SEEDS").flatMap { UInt64($0) } ?? 100

/// How many hours a simulated soak lasts: `INTERCEPTORKIT_SOAK`, or 6.
package let soakHours = variable("INTERCEPTORKIT_SOAK").flatMap { Int($0) } ?? 6

/// How many events an engine's stream delivers over its breaks: `INTERCEPTORKIT_STREAM`, or 2,000. One break
/// comes for each 100 events, 50 at least.
package let streamedEvents = variable("INTERCEPTORKIT_STREAM").flatMap { Int($0) } ?? 2000

private func variable(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }
