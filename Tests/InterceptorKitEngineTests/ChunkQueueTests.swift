import EngineScenarios
import Expectations
import Foundation
import InterceptorKitTesting
import TestRun
import Testing

@testable import InterceptorKitEngine

@Suite("ChunkQueue")
struct ChunkQueueTests {
    @Test("joins chunks up to 16 KiB and no further")
    func joins() {
        var queue = ChunkQueue()
        for size in [1, 2, 16_381, 1] { queue.append(Data(count: size)) }

        let sizes = [queue.popFirst(), queue.popFirst(), queue.popFirst()].map { $0?.count }

        expectEqual(sizes, [16_384, 1, nil])
        expectTrue(queue.isEmpty)
    }

    @Test("gives back every byte in order, however it is taken", arguments: 1...cases(5, of: 50))
    func order(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var queue = ChunkQueue()
        var waiting = Data()
        var counts: [Int] = []

        for _ in 0..<200 {
            switch random.next(below: 3) {
            case 0:
                let size = random.next(below: 20_000)
                let chunk = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &+ size) })
                queue.append(chunk)
                waiting += chunk
            case 1:
                let taken = queue.taken(upTo: random.next(below: 30_000))
                expectEqual(taken, waiting.prefix(taken.count))
                waiting = Data(waiting.dropFirst(taken.count))
            default:
                let chunk = queue.popFirst() ?? Data()
                expectEqual(chunk, waiting.prefix(chunk.count))
                waiting = Data(waiting.dropFirst(chunk.count))
            }
            counts.append(queue.byteCount - waiting.count)
        }

        expectTrue(counts.allSatisfy { $0 == 0 })
        expectEqual(queue.taken(upTo: 10_000_000), waiting)
        expectTrue(queue.isEmpty)
    }
}

extension ChunkQueue {
    fileprivate mutating func taken(upTo limit: Int) -> Data {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe take(upTo: limit, into: buffer)
        }
        return Data(bytes.prefix(count))
    }
}
