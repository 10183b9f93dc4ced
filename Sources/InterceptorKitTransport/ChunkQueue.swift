import Foundation

/// Chunks that wait for their reader, first in, first out.
struct ChunkQueue {
    private var chunks: [Data] = []
    // Taking from the front of an array moves the rest; an index does not.
    private var next = 0
    private(set) var byteCount = 0

    var isEmpty: Bool { next == chunks.count }

    mutating func append(_ chunk: Data) {
        chunks.append(chunk)
        byteCount += chunk.count
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
}
