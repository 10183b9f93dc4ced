import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKitTransfers

@Suite("ProgressReporter")
struct ProgressReporterTests {
    @Test("gives an observer the newest report once, then waits for another")
    func newest() async throws {
        try await onEverySeed(0..<50) { simulation in
            let reporter = ProgressReporter(simulation.runtime)
            reporter.report(1, of: 3)
            reporter.report(2, of: 3)
            let first = try await unwrap(reporter.next(after: 0))
            async let second = reporter.next(after: first.version)
            try await simulation.runtime.sleep(for: .seconds(1))
            reporter.report(3, of: 3)
            let news = try await unwrap(second)

            try requireEqual(first.progress.completedBytes, 2)
            try requireEqual(news.progress.completedBytes, 3)
            try requireEqual(news.version, first.version + 1)
        }
    }

    @Test("still gives the last report after the end, and takes no other")
    func finished() async throws {
        try await onEverySeed(0..<50) { simulation in
            let reporter = ProgressReporter(simulation.runtime)
            async let end: Void = reporter.waitForEnd()
            reporter.report(1, of: 2)
            reporter.finish()
            reporter.report(2, of: 2)
            await end
            let last = try await unwrap(reporter.next(after: 1))

            try requireEqual(last.progress.completedBytes, 1)
            try await require(reporter.next(after: last.version) == nil)
        }
    }
}
