import Expectations
import InterceptorKit
import TestSupport
import Testing

@testable import InterceptorKitCore

@Suite("The record of many attempts")
struct AttemptRecordingTests {
    @Test("is the latest, as many as the limit allows")
    func latest() {
        var kept: [Int] = []
        var all: [[Int]] = []

        for number in 1...5 {
            kept.keep(number, upTo: 3)
            all.append(kept)
        }

        expectEqual(all, [[1], [1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 5]])
    }
}
