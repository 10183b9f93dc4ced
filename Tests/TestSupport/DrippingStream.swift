package import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A body of which something comes again and again, without an end, or that breaks after a while.
package final class DrippingStream: HTTP.BodyStream {
    private let runtime: Runtime
    private let chunk: Data
    private let pause: Duration
    private let failure: (chunks: Int, error: any Error)?
    private let state = Lock((read: 0, cancels: 0))

    package init(
        _ runtime: Runtime,
        _ chunk: String = " ",
        every pause: Duration = .seconds(1),
        breaking failure: (chunks: Int, error: any Error)? = nil
    ) {
        self.runtime = runtime
        self.chunk = Data(chunk.utf8)
        self.pause = pause
        self.failure = failure
    }

    package var read: Int { state.withLock(\.read) }
    package var cancels: Int { state.withLock(\.cancels) }

    // After it broke it claims to be at its end, as streams that throw once do.
    package func next() async throws -> Data? {
        try await runtime.sleep(for: pause)
        let read = state.withLock { state in
            state.read += 1
            return state.read
        }
        if let failure, read > failure.chunks {
            if read == failure.chunks + 1 { throw failure.error }
            return nil
        }
        return chunk
    }

    package func cancel() { state.withLock { $0.cancels += 1 } }
}
