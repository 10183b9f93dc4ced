import InterceptorKit
import InterceptorKitSigning

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The content of a body in signed chunks (`aws-chunked`); each chunk is returned once it is verified.
struct VerifiedChunks: AsyncSequence, Sendable {
    /// The largest accepted chunk, which is held in memory: 16 MiB.
    static let maximumSize = 1 << 24

    private let body: HTTP.Body
    private let length: Int
    private let signer: AWSSignatureV4.ChunkSigner

    /// - Parameters:
    /// - body: The body as received.
    ///   - length: The stated length of the content, in bytes.
    ///   - signer: The sender's signer, which begins with the request's own signature.
    init(_ body: HTTP.Body, _ length: Int, _ signer: AWSSignatureV4.ChunkSigner) {
        self.body = body
        self.length = length
        self.signer = signer
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(source: body.makeAsyncIterator(), remaining: length, signer: signer)
    }

    struct Iterator: AsyncIteratorProtocol {
        private var source: HTTP.Body.AsyncIterator
        private var remaining: Int
        private var signer: AWSSignatureV4.ChunkSigner
        private var pending = PendingBytes()
        private var isDone = false

        init(
            source: HTTP.Body.AsyncIterator,
            remaining: Int,
            signer: AWSSignatureV4.ChunkSigner
        ) {
            self.source = source
            self.remaining = remaining
            self.signer = signer
        }

        mutating func next() async throws -> Data? {
            guard !isDone else { return nil }
            let (size, signature) = try await frame()
            guard size <= remaining else { throw Self.refusal("is longer than it says") }
            try await fill(size + 2)
            let piece = pending.take(size)
            guard pending.take(2).elementsEqual("\r\n".utf8) else {
                throw Self.refusal("has a chunk that does not end where it should")
            }
            guard ConstantTime.isEqual(try signer.signature(of: piece).utf8, signature) else {
                throw Self.refusal("has a chunk whose signature does not match")
            }
            remaining -= size
            guard size == 0 else { return piece }
            isDone = true
            guard remaining == 0 else { throw Self.refusal("is shorter than it says") }
            guard pending.count == 0, try await source.next() == nil else {
                throw Self.refusal("continues after its last chunk")
            }
            return nil
        }

        /// Reads a chunk's size and signature, as in `400;chunk-signature=…`.
        private mutating func frame() async throws -> (size: Int, signature: [UInt8]) {
            let limit = 128
            var end = pending.endOfLine(within: limit)
            while end == nil, pending.count < limit, let more = try await source.next() {
                pending.append(more)
                end = pending.endOfLine(within: limit)
            }
            guard let end else { throw Self.refusal("has a chunk without a signature") }
            let line = String(decoding: pending.take(end), as: UTF8.self)
            _ = pending.take(2)
            let parts = line.split(at: ";", omittingEmptySubsequences: false)
            let word = "chunk-signature="
            guard parts.count == 2, 1...8 ~= parts[0].utf8.count,
                parts[0].utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
                let size = Int(parts[0], radix: 16), size <= VerifiedChunks.maximumSize,
                parts[1].begins(with: word)
            else { throw Self.refusal("has a chunk that does not state its size and signature") }
            return (size, Array(parts[1].utf8.dropFirst(word.utf8.count)))
        }

        private mutating func fill(_ count: Int) async throws {
            while pending.count < count {
                guard let more = try await source.next() else {
                    throw Self.refusal("ends within a chunk")
                }
                pending.append(more)
            }
        }

        private static func refusal(_ problem: String) -> SignatureVerificationError {
            SignatureVerificationError(
                .content,
                message: "The content in signed chunks \(problem)."
            )
        }
    }
}
