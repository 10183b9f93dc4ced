import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitInspection
import InterceptorKitTesting
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A body's beginning, and the error it breaks off with.
final class InterruptedBody: BodyStream {
    private let beginning: Lock<Data>
    private let error: any Error

    init(_ beginning: Data, error: any Error) {
        self.beginning = Lock(beginning)
        self.error = error
    }

    func next() async throws -> Data? {
        let chunk = beginning.withLock { rest in
            defer { rest = Data() }
            return rest
        }
        guard chunk.isEmpty else { return chunk }
        throw error
    }

    func cancel() {}
}
