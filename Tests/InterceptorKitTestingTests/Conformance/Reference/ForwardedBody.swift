import Foundation
import InterceptorKit

/// A body's chunks without its length.
final class ForwardedBody: HTTP.BodyStream, @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: a body lets one reader at a time call `next`, and that
    // alone touches the iterator.
    private var chunks: HTTP.Body.AsyncIterator
    private let body: HTTP.Body

    init(_ body: HTTP.Body) {
        self.body = body
        chunks = body.makeAsyncIterator()
    }

    func next() async throws -> Data? { try await chunks.next() }

    func cancel() { body.cancel() }
}

/// A body that loses its second chunk.
final class LateBody: HTTP.BodyStream, @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: as above.
    private var count = 0
    private let base: ForwardedBody

    init(_ base: ForwardedBody) { self.base = base }

    func next() async throws -> Data? {
        count += 1
        if count == 2 { _ = try await base.next() }
        return try await base.next()
    }

    func cancel() { base.cancel() }
}
