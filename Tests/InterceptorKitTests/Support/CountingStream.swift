import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A body of chunks, of 1 KiB unless told otherwise, that counts what is read and how often it is cancelled.
final class CountingStream: BodyStream {
    private let chunks: Int
    private let size: Int
    private let state = Lock((read: 0, cancels: 0))

    init(chunks: Int, of size: Int = 1024) {
        self.chunks = chunks
        self.size = size
    }

    var read: Int { state.withLock(\.read) }
    var cancels: Int { state.withLock(\.cancels) }

    func next() async throws -> Data? {
        state.withLock { state in
            guard state.read < chunks else { return nil }
            state.read += 1
            return Data(repeating: 0x61, count: size)
        }
    }

    func cancel() { state.withLock { $0.cancels += 1 } }
}
