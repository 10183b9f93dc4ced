import InterceptorKit
import InterceptorKitSigning

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AWSSignatureV4 {
    /// Signs a payload in chunks, each signature also over the previous one (AWS, "Signature calculations: transferring
    /// payload in multiple chunks").
    struct ChunkSigner: Sendable {
        private let scheme: AWSSignatureV4
        private let key: SigningKey
        private let time: SigningTimestamp
        /// The previous signature, in hexadecimal digits.
        private(set) var previous: String

        /// - Parameters:
        ///   - seed: The request's own signature.
        ///   - context: The key and date of the request's signature.
        init(_ scheme: AWSSignatureV4, seed: String, _ context: SigningContext) throws {
            self.scheme = scheme
            key = context.key
            time = try SigningTimestamp(context.date)
            previous = seed
        }

        /// Returns the signature of the next chunk; the last chunk is empty.
        mutating func signature(of piece: some Sequence<UInt8>) throws -> String {
            var text = CanonicalWriter(capacity: 320)
            text.append(scheme.algorithmName)
            text.append("-PAYLOAD\n")
            text.appendBasic(time)
            text.append("\n" as Unicode.Scalar)
            scheme.write(scope: time, to: &text)
            text.append("\n")
            text.append(previous)
            text.append("\n")
            text.appendHexadecimal(HashAlgorithm.sha256.hash([]))
            text.append("\n")
            text.appendHexadecimal(HashAlgorithm.sha256.hash(piece))
            previous = try scheme.signature(of: text.bytes, time, key)
            return previous
        }

        /// Returns the next chunk with its size and signature, as it is sent.
        mutating func chunk(_ piece: Data) throws -> Data {
            let line = String(piece.count, radix: 16) + ";chunk-signature="
            return try Data(line.utf8) + Data(signature(of: piece).utf8) + Data("\r\n".utf8) + piece
                + Data("\r\n".utf8)
        }

        /// Returns the length of a payload in signed chunks, with the empty last chunk.
        static func length(of length: Int, by size: Int) -> Int {
            let size = max(size, 1)
            // ";chunk-signature=", 64 digits and two line ends.
            func framed(_ count: Int) -> Int {
                (String(count, radix: 16).utf8.count + 85).saturatingAdding(count)
            }
            let rest = length % size
            let last = (rest > 0 ? framed(rest) : 0) + framed(0)
            return (length / size).saturatingMultiplying(by: framed(size)).saturatingAdding(last)
        }
    }
}
