import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads another body on behalf of a stream around it.
final class BodyIterator: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: a body lets one reader at a time call `next` of the
    // stream around it, and that alone touches the iterator.
    private var iterator: HTTP.Body.AsyncIterator
    private let body: HTTP.Body

    init(_ body: HTTP.Body) {
        self.body = body
        iterator = body.makeAsyncIterator()
    }

    nonisolated(nonsending) func next() async throws -> Data? { try await iterator.next() }

    func cancel() { body.cancel() }
}
