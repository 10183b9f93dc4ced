import Foundation
import InterceptorKit

/// A response's body as the engine delivers it.
final class ResponseBodyStream: BodyStream {
    private let exchange: Exchange

    init(_ exchange: Exchange) { self.exchange = exchange }

    deinit { exchange.handle(.readerLeft) }

    nonisolated(nonsending) func next() async throws -> Data? { try await exchange.nextChunk() }

    func cancel() { exchange.handle(.readerLeft) }
}
