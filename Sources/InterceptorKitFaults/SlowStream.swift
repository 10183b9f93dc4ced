import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A body in small chunks, with a pause before each.
final class SlowStream: HTTP.BodyStream {
    private let base: any HTTP.BodyStream
    private let pending = Lock(Data())
    private let size: Int
    private let pause: Duration
    private let runtime: Runtime

    init(_ body: HTTP.Body, pieces size: Int, every pause: Duration, on runtime: Runtime) {
        base = body.stream()
        self.size = size
        self.pause = pause
        self.runtime = runtime
    }

    nonisolated(nonsending) func next() async throws -> Data? {
        if pending.withLock(\.isEmpty) {
            guard let chunk = try await base.next() else { return nil }
            pending.withLock { $0 = chunk }
        }
        try await runtime.sleep(for: pause)
        return pending.withLock { rest in
            let piece = rest.prefix(size)
            rest = rest.dropFirst(size)
            return piece
        }
    }

    func cancel() { base.cancel() }
}
