import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A body of chunks, of 1 KiB unless told otherwise, that counts what is read and how often it is cancelled.
package final class CountingStream: HTTP.BodyStream {
    private let chunks: Int
    private let size: Int
    private let state = Lock((read: 0, cancels: 0))

    package init(chunks: Int, of size: Int = 1024) {
        self.chunks = chunks
        self.size = size
    }

    package var read: Int { state.withLock(\.read) }
    package var cancels: Int { state.withLock(\.cancels) }

    package func next() async throws -> Data? {
        state.withLock { state in
            guard state.read < chunks else { return nil }
            state.read += 1
            return Data(repeating: 0x61, count: size)
        }
    }

    package func cancel() { state.withLock { $0.cancels += 1 } }
}
