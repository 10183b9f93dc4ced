#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Chunks that wait for their taker, first in, first out.
struct ChunkQueue {
    private var chunks: [Data] = []
    // Taking from the front of an array moves the rest; an index does not.
    private var next = 0
    private(set) var byteCount = 0

    var isEmpty: Bool { next == chunks.count }

    // Small chunks are joined, so that a trickle costs neither much memory nor a wait for each.
    private static let joinedSize = 16 << 10

    mutating func append(_ chunk: Data) {
        byteCount += chunk.count
        if !isEmpty, chunks[chunks.count - 1].count + chunk.count <= Self.joinedSize {
            chunks[chunks.count - 1].append(chunk)
        } else {
            chunks.append(chunk)
        }
    }

    mutating func popFirst() -> Data? {
        guard !isEmpty else { return nil }
        let chunk = chunks[next]
        chunks[next] = Data()
        next += 1
        byteCount -= chunk.count
        if isEmpty {
            chunks.removeAll(keepingCapacity: true)
            next = 0
        }
        return chunk
    }

    /// Takes up to so many bytes off the front.
    mutating func take(upTo limit: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var taken = 0
        while taken < limit, let chunk = popFirst() {
            let count = min(limit - taken, chunk.count)
            // Safety: `taken + count` is at most `limit`, which is the count of the caller's
            // buffer, and `count` at most the chunk's.
            let target = unsafe UnsafeMutableRawBufferPointer(
                rebasing: buffer[taken..<taken + count]
            )
            unsafe chunk.copyBytes(to: target, count: count)
            taken += count
            if count < chunk.count { putBack(chunk.dropFirst(count)) }
        }
        return taken
    }

    private mutating func putBack(_ rest: Data) {
        if next == 0 {
            chunks.insert(rest, at: 0)
        } else {
            next -= 1
            chunks[next] = rest
        }
        byteCount += rest.count
    }
}
