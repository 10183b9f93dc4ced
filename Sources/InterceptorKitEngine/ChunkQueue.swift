#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Chunks that wait for their taker, first in, first out.
package struct ChunkQueue: Sendable {
    // Usually there is only one chunk, which needs no array.
    private var first: Data?
    private var rest: [Data] = []
    // Removing from the front of an array moves the rest; advancing an index does not.
    private var next = 0
    package private(set) var byteCount = 0

    package var isEmpty: Bool { first == nil }

    var hasOneAtMost: Bool { rest.isEmpty }

    // Small chunks are joined, so that a trickle costs neither much memory nor a wait for each.
    private static let joinedSize = 16 << 10

    package init() {}

    package mutating func append(_ chunk: Data) {
        byteCount += chunk.count
        let room = Self.joinedSize - chunk.count
        if let last = rest.last {
            if last.count <= room { rest[rest.count - 1].append(chunk) } else { rest.append(chunk) }
        } else if let first {
            if first.count <= room { self.first?.append(chunk) } else { rest.append(chunk) }
        } else {
            first = chunk
        }
    }

    package mutating func popFirst() -> Data? {
        guard let chunk = first.take() else { return nil }
        byteCount -= chunk.count
        if next < rest.count {
            first = rest[next]
            rest[next] = Data()
            next += 1
        }
        if next == rest.count {
            rest.removeAll(keepingCapacity: true)
            next = 0
        }
        return chunk
    }

    /// Takes up to `limit` bytes off the front.
    package mutating func take(upTo limit: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var taken = 0
        while taken < limit, let chunk = first {
            let count = min(limit - taken, chunk.count)
            // Safety: `taken + count` is at most `limit`, which is the count of the caller's buffer, and `count` at
            // most the chunk's.
            let target = unsafe UnsafeMutableRawBufferPointer(
                rebasing: buffer[taken..<taken + count]
            )
            unsafe chunk.copyBytes(to: target, count: count)
            taken += count
            if count < chunk.count {
                first = chunk.dropFirst(count)
                byteCount -= count
            } else {
                _ = popFirst()
            }
        }
        return taken
    }
}
