package import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Hands out chunks, each after a pause, then ends.
package final class PausingStream: HTTP.BodyStream {
    private let chunks: Lock<ArraySlice<(pause: Duration, bytes: Int)>>
    private let runtime: Runtime
    private let gate = Gate("body")
    package let cancels = Recorder<Int>()

    package init(_ chunks: [(pause: Duration, bytes: Int)], _ runtime: Runtime) {
        self.chunks = Lock(chunks[...])
        self.runtime = runtime
    }

    /// A byte after each pause.
    package convenience init(_ pauses: [Duration], _ runtime: Runtime) {
        self.init(pauses.map { ($0, 1) }, runtime)
    }

    /// The same pause and chunk many times.
    package convenience init(_ bytes: Int, every pause: Duration, times: Int, _ runtime: Runtime) {
        self.init(Array(repeating: (pause, bytes), count: times), runtime)
    }

    package func next() async throws -> Data? {
        guard let chunk = chunks.withLock({ $0.popFirst() }) else { return nil }
        if chunk.pause > .zero {
            let arrival = runtime.start("arrival") { [runtime, gate] in
                if (try? await runtime.sleep(for: chunk.pause)) != nil { gate.release() }
            }
            defer { arrival.cancel() }
            try await gate.pass()
        }
        return Data(repeating: UInt8(ascii: "x"), count: chunk.bytes)
    }

    package func cancel() {
        cancels.note(1)
        gate.fail(CancellationError())
    }

    package var trailers: HTTP.Headers? { chunks.withLock { $0.isEmpty ? ["X-Sum": "1"] : nil } }
}
