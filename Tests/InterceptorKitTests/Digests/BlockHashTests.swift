import Expectations
import TestSupport
import Testing

@testable import InterceptorKit

@Suite("BlockHash")
struct BlockHashTests {
    @Test("ends with a one bit, zeros and the length in bits")
    func padding() {
        let blocks = blocks(of: [[1, 2, 3]])

        let zeros = Array(repeating: UInt8(0), count: 59)
        expectEqual(blocks, [[1, 2, 3, 0x80] + zeros + [24]])
    }

    @Test(
        "adds a block where the length has no room",
        arguments: [(0, 1), (55, 1), (56, 2), (63, 2), (64, 2), (119, 2), (120, 3)]
    )
    func room(length: Int, count: Int) {
        let message = Array(repeating: UInt8(7), count: length)

        let blocks = blocks(of: [message[...]])

        let bits = [UInt8((length * 8) >> 8), UInt8((length * 8) & 0xff)]
        expectEqual(blocks.count, count)
        expectEqual(Array(blocks.joined().prefix(length + 1)), message + [0x80])
        expectEqual(blocks.last?.suffix(8).map(\.self), Array(repeating: 0, count: 6) + bits)
    }

    @Test("compresses the same blocks, however the bytes are split")
    func pieces() {
        let message = (0..<320).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        var rest = message[...]
        let pieces = [63, 1, 0, 64, 130, 2, 60].map { count in
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }

        let blocks = blocks(of: pieces)

        expectEqual(Array(blocks.joined().prefix(320)), message)
        expectEqual(blocks, self.blocks(of: [message[...]]))
    }

    private func blocks(of pieces: [ArraySlice<UInt8>]) -> [[UInt8]] {
        let blocks = Recorder<[UInt8]>()
        var hash = BlockHash(RecordingState(blocks: blocks))
        for piece in pieces { unsafe piece.withUnsafeBytes { unsafe hash.update($0) } }
        var digest = [UInt8](repeating: 0, count: 8)
        unsafe digest.withUnsafeMutableBytes { unsafe hash.finalize(into: $0) }
        return blocks.entries
    }
}

/// Compresses nothing, and notes what it was to compress.
private struct RecordingState: CompressionState {
    typealias Block = Block64

    static var wordCount: Int { 2 }
    static var isBigEndian: Bool { true }

    var words = SIMD2<UInt32>()
    let blocks: Recorder<[UInt8]>

    init(blocks: Recorder<[UInt8]>) { self.blocks = blocks }

    mutating func compress(block: UnsafeRawPointer) {
        blocks.note(unsafe Array(UnsafeRawBufferPointer(start: block, count: Block.size)))
    }
}
