import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A response's body as libcurl delivers it.
final class ResponseBodyStream: BodyStream {
    private let operation: RequestOperation

    init(_ operation: RequestOperation) { self.operation = operation }

    deinit { operation.handle(.readerLeft) }

    nonisolated(nonsending) func next() async throws -> Data? { try await operation.nextChunk() }

    func cancel() { operation.handle(.readerLeft) }

    var trailers: HTTP.Headers? { operation.trailers }
}
