import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKitFaults

@Suite("SlowStream")
struct SlowStreamTests {
    @Test("delivers chunks in pieces, none across two, with a pause before each")
    func pieces() throws {
        let (chunks, end) = try Simulation.run { simulation in
            let stream = SlowStream(
                .oneShot(ChunkedStream("abcde", "f", "gh")),
                pieces: 2,
                every: .seconds(3),
                on: simulation.runtime
            )
            return (await outcome(of: stream).chunks, simulation.now.offset)
        }

        expectEqual(chunks, ["ab", "cd", "e", "f", "gh"])
        expectEqual(end, .seconds(15))
    }

    @Test("hands a cancellation on, and ends a pause with it")
    func cancelled() throws {
        let base = ChunkedStream("abc")
        let (error, end) = try Simulation.run { simulation in
            let stream = SlowStream(
                .oneShot(base),
                pieces: 1,
                every: .seconds(60),
                on: simulation.runtime
            )
            let failures = Recorder<any Error>()
            let reader = simulation.runtime.start("reader") {
                if let error = await outcome(of: stream).error { failures.note(error) }
            }
            try await simulation.runtime.sleep(for: .seconds(70))
            reader.cancel()
            stream.cancel()
            await reader.value
            return (failures.entries.first, simulation.now.offset)
        }

        expectTrue(error is CancellationError)
        expectEqual(end, .seconds(70))
        expectEqual(base.cancels, 1)
    }
}
