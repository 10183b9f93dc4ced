import Expectations
import Foundation
import InterceptorKit
import Testing

@testable import InterceptorKitConformance
@testable import InterceptorKitTesting

@Suite("StalledStream", .timeLimit(.minutes(10)))
struct StalledStreamTests {
    @Test("makes one chunk, then nothing until it is ended, whatever is cancelled")
    func standsStill() throws {
        let (first, early, late) = try Simulation.run { simulation in
            let stream = StalledStream()
            let ended = Recorded<Bool>()
            let first = try await stream.next()
            let reader = simulation.runtime.start("reader") {
                let chunk = try? await stream.next()
                ended.note(chunk == nil)
            }
            try await simulation.runtime.sleep(for: .seconds(1))
            reader.cancel()
            stream.cancel()
            try await simulation.runtime.sleep(for: .seconds(3_600))
            let early = ended.values
            stream.end()
            await reader.value
            return (first, early, ended.values)
        }

        expectEqual(first, Data("x".utf8))
        expectTrue(early.isEmpty)
        expectEqual(late, [true])
    }

    @Test("ends at once for who reads on after its end")
    func ended() async throws {
        let stream = StalledStream()
        _ = try await stream.next()

        stream.end()

        try await expectEqual(stream.next(), nil)
    }
}
