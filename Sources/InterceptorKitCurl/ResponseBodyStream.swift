import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A response's body as libcurl delivers it.
final class ResponseBodyStream: BodyStream {
    private let transfer: Transfer

    init(_ transfer: Transfer) { self.transfer = transfer }

    deinit { transfer.handle(.readerLeft) }

    nonisolated(nonsending) func next() async throws -> Data? { try await transfer.nextChunk() }

    func cancel() { transfer.handle(.readerLeft) }

    var trailers: HTTP.Headers? { transfer.trailers }
}
