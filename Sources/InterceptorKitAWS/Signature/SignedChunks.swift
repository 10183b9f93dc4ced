import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A body as signed chunks.
struct SignedChunks: AsyncSequence, Sendable {
    let body: HTTP.Body
    let size: Int
    let signer: AWSSignatureV4.ChunkSigner

    func makeAsyncIterator() -> Iterator {
        Iterator(source: body.makeAsyncIterator(), size: size, signer: signer)
    }

    struct Iterator: AsyncIteratorProtocol {
        var source: HTTP.Body.AsyncIterator
        let size: Int
        var signer: AWSSignatureV4.ChunkSigner
        private var pending = PendingBytes()
        private var isDone = false

        init(source: HTTP.Body.AsyncIterator, size: Int, signer: AWSSignatureV4.ChunkSigner) {
            self.source = source
            self.size = size
            self.signer = signer
        }

        mutating func next() async throws -> Data? {
            if isDone { return nil }
            while pending.count < size, let more = try await source.next() { pending.append(more) }
            let piece = pending.take(size)
            isDone = piece.isEmpty
            return try signer.chunk(piece)
        }
    }
}

extension HTTP.Request {
    mutating func signChunks(of size: Int, _ signer: AWSSignatureV4.ChunkSigner) throws {
        guard let length = body.length else {
            throw SigningError(
                .unsignableBody,
                "The body's length is not known, which aws-chunked must say beforehand "
                    + "(X-Amz-Decoded-Content-Length). Give the length, or sign no payload."
            )
        }
        let chunks = SignedChunks(body: body, size: max(size, 1), signer: signer)
        let total = AWSSignatureV4.ChunkSigner.length(of: length, by: size)
        body =
            body.isReplayable
            ? .replayable(length: total) { chunks } : .oneShot(length: total, chunks)
    }
}
