import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// A response's body as the engine delivers it.
final class ResponseBodyStream: BodyStream {
    private struct Contents {
        // Taken from the exchange in one go, and the one next to be read last.
        var chunks: [Data] = []
        var isLeft = false
    }

    private let operation: RequestOperation
    private let contents = Lock(Contents())

    init(_ operation: RequestOperation) { self.operation = operation }

    deinit { operation.handle(.readerLeft) }

    nonisolated(nonsending) func next() async throws -> Data? {
        if Task.isCancelled {
            cancel()
            throw CancellationError()
        }
        if let chunk = contents.withLock({ $0.chunks.popLast() }) { return chunk }
        switch try await operation.nextSegment() {
        case .chunks(let chunks): return keepRest(of: chunks)
        case .file(let region): return try await operation.read(region)
        case nil: return nil
        }
    }

    func cancel() {
        contents.withLock { contents in
            contents.chunks = []
            contents.isLeft = true
        }
        operation.handle(.readerLeft)
    }

    private func keepRest(of chunks: [Data]) -> Data? {
        if chunks.count == 1 { return chunks[0] }
        contents.withLock { contents in
            if !contents.isLeft { contents.chunks = chunks.dropFirst().reversed() }
        }
        return chunks.first
    }
}
