import Foundation
import InterceptorKit

/// Bytes in chunks of the size that engines receive, again and again.
struct Chunks: AsyncSequence, Sendable {
    struct AsyncIterator: AsyncIteratorProtocol {
        let chunks: [Data]
        let count: Int
        var index = 0

        nonisolated(nonsending) mutating func next() async -> Data? {
            guard index < count else { return nil }
            defer { index += 1 }
            return chunks[index % chunks.count]
        }
    }

    private static let size = 16 << 10

    let chunks: [Data]
    let count: Int

    /// - Parameters:
    ///   - bytes: What to send.
    ///   - times: How often. Defaults to once.
    init(_ bytes: Data, times: Int = 1) {
        chunks = stride(from: 0, to: bytes.count, by: Self.size).map { start in
            Data(bytes[start..<Swift.min(start + Self.size, bytes.count)])
        }
        count = chunks.count * times
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(chunks: chunks, count: count) }
}
