import EngineScenarios
import Expectations
import Foundation
import InterceptorKitTesting
import Testing

@testable import InterceptorKitEngine

@Suite("ExchangeState")
struct ExchangeStateTests {
    @Test(
        "resumes each wait once, in any order of events",
        arguments: 1...200,
        EngineKind.allCases
    )
    func anyOrder(seed: Int, engine: EngineKind) {
        var random = SeededGenerator(seed: UInt64(seed))
        var state = engine.state
        var waits = ExchangeWaits(engine)

        for _ in 0..<80 {
            guard let event = waits.event(random.next(below: 14)) else { continue }
            waits.note(state.handle(event))
        }
        waits.finish(&state)

        expectEqual(waits.problems, [])
    }
}
