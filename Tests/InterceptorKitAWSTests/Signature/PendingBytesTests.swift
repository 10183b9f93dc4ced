import Expectations
import Foundation
import InterceptorKitSigning
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitAWS

@Suite("PendingBytes")
struct PendingBytesTests {
    @Test("are given back as they came, however much is taken at a time")
    func model() {
        for seed in 0..<200 as Range<UInt64> {
            var chance = SplitMix64(seed: seed)
            var held = PendingBytes()
            var model = Data()
            for _ in 0..<40 {
                let count = Int(chance.next() % 6)
                if chance.next() % 2 == 0 {
                    // A slice, whose first index is not zero.
                    let more = Data((0..<9).map { _ in UInt8(chance.next() % 256) })[3..<3 + count]
                    held.append(more)
                    model.append(more)
                } else {
                    expectEqual(held.take(count), model.prefix(count))
                    model = Data(model.dropFirst(count))
                }
                expectEqual(held.count, model.count)
            }
        }
    }

    @Test("have the end of a line within a limit, or none yet")
    func lines() {
        var held = PendingBytes()
        held.append(Data("ab\r".utf8))
        expectEqual(held.endOfLine(within: 100), nil)

        held.append(Data("\nc\n\rd\r\n".utf8))
        expectEqual(held.endOfLine(within: 3), nil)
        expectEqual(held.endOfLine(within: 4), 2)
        _ = held.take(3)
        // What was taken counts no more: a line feed alone ends no line.
        expectEqual(held.endOfLine(within: 100), 5)
    }
}
