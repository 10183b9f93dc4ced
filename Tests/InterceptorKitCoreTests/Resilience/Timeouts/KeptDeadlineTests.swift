import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("A deadline that all stages keep")
struct KeptDeadlineTests {
    /// Takes the scripted times in turn, ends at the deadline by itself, and notes the task of each send.
    private struct Server: Transport {
        let keepsDeadline: Bool
        let times: [Duration]
        let sends = Recorder<Int?>()

        func send(_ input: Int, call: Call) async throws -> Int {
            sends.note(task())
            let time = times[(sends.entries.count - 1) % times.count]
            let remaining = call.remaining ?? time
            try await call.runtime.sleep(for: min(time, remaining))
            if remaining <= time { throw TransportError(.timedOut, "No answer in time.") }
            if time < .seconds(1) { throw TransportError(.connectionLost, "Lost.") }
            return input * 2
        }
    }

    private static func task() -> Int? {
        unsafe withUnsafeCurrentTask { unsafe $0?.hashValue }
    }

    private struct Run: Equatable {
        var outcome: String
        var sends: Int
        var elapsed: Duration
    }

    @Test("needs a task only below a stage that may have to be cancelled")
    func tasks() async throws {
        for isKept in [true, false] {
            let same = try await onEverySeed { simulation in
                let server = Server(keepsDeadline: true, times: [.seconds(1)])
                let pipeline = try Pipeline(transport: server, runtime: simulation.runtime) {
                    TimeoutInterceptor<Int>(total: .seconds(30))
                    RetryInterceptor(policy: .standard)
                    CircuitBreakerInterceptor<Int>()
                    if !isKept { AnyInterceptor<Int> { try await $0.proceed() } }
                    TimeoutInterceptor<Int>(attempt: .seconds(10))
                }
                _ = try await pipeline.run(1)
                return server.sends.entries == [Self.task()]
            }
            expectEqual(same, isKept)
        }
    }

    @Test("ends calls as a limit with tasks does", arguments: UInt64(0)..<200)
    func sameAsTasks(number: UInt64) async throws {
        var chance = SeededGenerator(seed: number)
        let times = (0..<6).map { _ in
            Duration.milliseconds(Int.random(in: 0...4000, using: &chance))
        }
        // Fractions of a millisecond, so that nothing ends at one instant with another.
        let total = Duration.microseconds(700 + 1000 * Int.random(in: 1...12000, using: &chance))
        let attempt = Duration.microseconds(300 + 1000 * Int.random(in: 1...4000, using: &chance))
        let classifies = Int.random(in: 0..<4, using: &chance)

        func run(isKept: Bool) async throws -> Run {
            try await onEverySeed(number..<(number + 1)) { simulation in
                let server = Server(keepsDeadline: isKept, times: times)
                var policy = RetryPolicy<Int>.standard
                policy.budget = nil
                policy.backoff = Backoff(base: .milliseconds(100), jitter: .none)
                policy.overloadBackoff = Backoff(base: .milliseconds(1100), jitter: .none)
                // Some wait long, or for ever.
                policy.classifier = OutcomeClassifier.byError.preceded { outcome in
                    guard classifies > 1 else { return nil }
                    try? await outcome.runtime.sleep(for: .seconds(classifies))
                    return nil
                }
                let pipeline = try Pipeline(transport: server, runtime: simulation.runtime) {
                    TimeoutInterceptor<Int>(total: total)
                    RetryInterceptor(policy: policy)
                    TimeoutInterceptor<Int>(attempt: attempt)
                }
                let began = simulation.runtime.now
                var outcome: String
                do { outcome = "\(try await pipeline.run(1))" } catch { outcome = "\(error)" }
                // The attempts are told or not as of two timers at one instant either fires first.
                outcome = String(outcome.prefix { $0 != "\n" })
                let elapsed = began.duration(to: simulation.runtime.now)
                return Run(outcome: outcome, sends: server.sends.entries.count, elapsed: elapsed)
            }
        }

        let (kept, cancelled) = (try await run(isKept: true), try await run(isKept: false))
        expectEqual(kept, cancelled)
    }
}
