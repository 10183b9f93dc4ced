import Expectations
import InterceptorKit
import InterceptorKitCaching
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import TestSupport
import Testing

@Suite("CacheInterceptor under any schedule")
struct CacheScheduleTests {
    /// How a call ended.
    private enum End: Equatable {
        case text(String)
        case lost
        case cancelled
        /// It threw a `CancellationError` though nobody had cancelled it.
        case stray
    }

    /// Six calls for one URL that begin within some seconds of each other, of which about half are
    /// cancelled at some time.
    /// - Parameter check: Told how each call ended, and when it began.
    private static func callers(
        _ origin: SlowOrigin,
        within seconds: UInt64,
        _ check: @escaping @Sendable (End, _ begun: Duration) throws -> Void = { _, _ in }
    ) async throws -> (ends: [End], cancellations: Int) {
        let runtime = origin.runtime
        let ends = Recorder<End>()
        let failures = Recorder<any Error>()
        let cancellations = Recorder<Int>()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<6 {
                let wasCancelled = Lock(false)
                let caller = runtime.start("caller \(number)") {
                    try? await runtime.sleep(for: .seconds(Int(runtime.random() % seconds)))
                    let begun = runtime.now.offset
                    var end = End.lost
                    do {
                        end = .text(try await origin.client.send(.get(orders)).text())
                    } catch is TransportError {
                    } catch {
                        end = wasCancelled.withLock { $0 } ? .cancelled : .stray
                    }
                    ends.note(end)
                    do { try check(end, begun) } catch { failures.note(error) }
                }
                group.addTask {
                    if runtime.random() % 2 == 0 {
                        try? await runtime.sleep(for: .seconds(Int(runtime.random() % 12)))
                        wasCancelled.withLock { $0 = true }
                        cancellations.note(number)
                        caller.cancel()
                    }
                    await caller.value
                }
            }
            await group.waitForAll()
        }
        if let failure = failures.entries.first { throw failure }
        return (ends.entries, cancellations.entries.count)
    }

    @Test("one of many identical calls sends, and the others get its whole body")
    func collapsing() async throws {
        try await besideOtherTests {
            try simulate(seeds: 0..<(2 * seedCount)) { simulation in
                // All have come before a response can.
                let origin = try SlowOrigin(simulation, "max-age=3600", delay: 4)

                let (ends, cancellations) = try await Self.callers(origin, within: 4)
                try await simulation.runtime.sleep(for: .seconds(60))

                let sends = origin.counts
                try requireEqual(ends.count, 6)
                try require(!ends.contains(.stray) && !ends.contains(.lost))
                // Another send is made only when anyone who made the last one is gone.
                try require(sends.whole.count <= 1)
                try require(sends.begun - sends.whole.count <= cancellations)
                try require(sends.mostOpen <= 2)
                let texts = sends.whole.map(\.text)
                for case .text(let text) in ends { try requireEqual(texts, [text]) }
                try await requireEqual(origin.stored(), texts)
                try requireEqual(sends.open, 0)
                try requireEqual(origin.client.openBodies, 0)
            }
        }
    }

    @Test("failed requests leave no call waiting and no partial body")
    func failing() async throws {
        try await besideOtherTests {
            try simulate(seeds: 0..<(2 * seedCount)) { simulation in
                let runtime = simulation.runtime
                let origin = try SlowOrigin(simulation, "max-age=3600") { _ in
                    SlowOrigin.Fate(rawValue: runtime.random() % 3) ?? .whole
                }

                let (ends, _) = try await Self.callers(origin, within: 8)
                try await runtime.sleep(for: .seconds(60))

                let sends = origin.counts
                try requireEqual(ends.count, 6)
                try require(!ends.contains(.stray))
                let texts = sends.whole.map(\.text)
                for case .text(let text) in ends { try unwrap(texts.contains(text)) }
                // What is stored is whole, and no older than what was served.
                let stored = try await origin.stored()
                let kept = sends.whole.filter { stored == [$0.text] }.map(\.began)
                try requireEqual(kept, sends.whole.map(\.began).max().map { [$0] } ?? [])
                try requireEqual(sends.open, 0)
                try requireEqual(origin.client.openBodies, 0)
            }
        }
    }

    @Test("a stale response is served at once during one revalidation")
    func revalidating() async throws {
        try await besideOtherTests {
            try simulate(seeds: 0..<(2 * seedCount)) { simulation in
                let runtime = simulation.runtime
                let freshness = "max-age=1, stale-while-revalidate=3600"
                let origin = try SlowOrigin(simulation, freshness) { number in
                    number == 1 ? .whole : SlowOrigin.Fate(rawValue: runtime.random() % 4) ?? .whole
                }
                _ = try await origin.client.send(.get(orders)).text()
                try await runtime.sleep(for: .seconds(2))

                let (ends, _) = try await Self.callers(origin, within: 20) { end, begun in
                    guard case .text(let text) = end else { return }
                    try requireEqual(runtime.now.offset, begun)
                    // Nothing is served that had been replaced before the call.
                    let whole = origin.counts.whole
                    let newest = whole.last { $0.ended < begun }?.number ?? 1
                    try require(whole.contains { $0.number >= newest && $0.text == text })
                }
                try await runtime.sleep(for: .seconds(60))

                let sends = origin.counts
                try requireEqual(ends.count, 6)
                try require(!ends.contains(.stray) && !ends.contains(.lost))
                try requireEqual(sends.mostOpen, 1)
                let newest = try unwrap(sends.whole.last)
                try await requireEqual(origin.stored(), [newest.text])
                try requireEqual(sends.open, 0)
                try requireEqual(origin.client.openBodies, 0)
            }
        }
    }

    @Test("a revalidation that takes too long is given up, and repeated later")
    func backgroundLimit() async throws {
        try await onEverySeed(0..<200) { simulation in
            let policy = CachePolicy(revalidationLimit: .seconds(5))
            let freshness = "max-age=1, stale-while-revalidate=3600"
            let origin = try SlowOrigin(simulation, freshness, pause: 0, policy: policy) { number in
                number == 1 ? .whole : .stalled
            }
            let runtime = simulation.runtime
            _ = try await origin.client.send(.get(orders)).text()
            try await runtime.sleep(for: .seconds(2))

            var texts: [String] = []
            for _ in 0..<3 {
                texts.append(try await origin.client.send(.get(orders)).text())
                try await runtime.sleep(for: .seconds(4))
            }
            try await runtime.sleep(for: .seconds(2))

            try requireEqual(texts, Array(repeating: SlowOrigin.text(1), count: 3))
            // The second call came while the first one's request was under way.
            try requireEqual(origin.counts.begun, 3)
            try requireEqual(origin.counts.open, 0)
            try await requireEqual(origin.stored(), [SlowOrigin.text(1)])
        }
    }
}
