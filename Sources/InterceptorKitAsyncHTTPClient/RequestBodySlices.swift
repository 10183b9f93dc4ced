#if AsyncHTTPClient
import InterceptorKit
import NIOCore
import NIOFoundationEssentialsCompat

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A body in memory, copied into the engine's buffers slice by slice as the connection takes it.
struct RequestBodySlices: AsyncSequence, Sendable {
    // As large as the chunks of a file.
    private static let sliceSize = 64 << 10

    private let data: Data
    private let onSent: (@Sendable (Int) -> Void)?

    init(_ data: Data, onSent: (@Sendable (Int) -> Void)?) {
        self.data = data
        self.onSent = onSent
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: data, onSent: onSent) }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var rest: Data
        fileprivate let onSent: (@Sendable (Int) -> Void)?
        private var count = 0

        fileprivate init(rest: Data, onSent: (@Sendable (Int) -> Void)?) {
            self.rest = rest
            self.onSent = onSent
        }

        mutating func next() async throws -> ByteBuffer? {
            // A request for more means that the previous slice was taken.
            if count > 0 { onSent?(count) }
            guard !rest.isEmpty else { return nil }
            let slice = rest.prefix(RequestBodySlices.sliceSize)
            rest = rest.dropFirst(slice.count)
            count += slice.count
            return ByteBuffer(data: slice)
        }
    }
}
#endif
