import Foundation
import InterceptorKit
import OpenAPIRuntime
import Synchronization

/// A response's body of the transport below, which goes back to the generated code as it is if no interceptor has
/// looked into it.
final class ResponseBodyStream: HTTP.BodyStream, @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: a body lets one reader at a time call `next`, and that alone touches the
    // iterator.
    private lazy var chunks = body.makeAsyncIterator()
    private let isCancelled = Mutex(false)
    let body: HTTPBody

    init(_ body: HTTPBody) { self.body = body }

    func next() async throws -> Data? {
        if isCancelled.withLock({ $0 }) { throw CancellationError() }
        return try await chunks.next().map { Data($0) }
    }

    func cancel() { isCancelled.withLock { $0 = true } }
}

extension HTTP.Body {
    /// The body of a response, which is read once.
    init(response body: HTTPBody?) {
        guard let body else {
            self = .empty
            return
        }
        var length: Int?
        if case .known(let known) = body.length { length = Int(clamping: known) }
        self = .oneShot(length: length, ResponseBodyStream(body))
    }
}
