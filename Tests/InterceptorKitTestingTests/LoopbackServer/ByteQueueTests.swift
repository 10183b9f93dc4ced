import Expectations
import Testing

@testable import InterceptorKitLoopback

@Suite("ByteQueue")
struct ByteQueueTests {
    private func line(_ queue: inout ByteQueue) -> String? {
        queue.takeLine().map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("gives a line only once its line feed has come, and what follows later")
    func lines() {
        var queue = ByteQueue()

        queue.append("ab".utf8)
        let early = line(&queue)
        queue.append("c\r\n\nde".utf8)
        let lines = [line(&queue), line(&queue), line(&queue)]
        queue.append("\n".utf8)
        let last = line(&queue)

        expectEqual(early, nil)
        expectEqual(lines, ["abc\r\n", "\n", nil])
        expectEqual(last, "de\n")
        expectEqual(queue.count, 0)
    }

    @Test("finds a line feed in bytes that a search before a taking passed over")
    func searchedAnew() {
        var queue = ByteQueue()

        queue.append("0123456789".utf8)
        let none = line(&queue)
        let taken = queue.take(8)
        queue.append("\nx".utf8)

        expectEqual(none, nil)
        expectEqual(taken, Array("01234567".utf8))
        expectEqual(line(&queue), "89\n")
    }

    @Test("loses nothing as what was taken is removed from its memory")
    func compacts() {
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
        var queue = ByteQueue()
        var taken: [UInt8] = []

        for start in stride(from: 0, to: bytes.count, by: 50_000) {
            queue.append(bytes[start..<start + 50_000])
            taken += queue.take(40_000)
        }
        let rest = queue.count
        taken += queue.take(.max)

        expectEqual(rest, 60_000)
        expectEqual(taken, bytes)
        expectTrue(queue.take(1).isEmpty)
    }
}
