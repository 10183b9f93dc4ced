import InterceptorKit

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Content to send and to serve.
package enum Samples {
    // The length is a prime, so that it does not repeatedly coincide with buffer sizes.
    private static let pattern = Data(
        (0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
    )

    /// Returns bytes with every value, in an order that reveals lost, doubled or moved ones.
    package static func bytes(_ count: Int) -> Data {
        var bytes = Data(capacity: count)
        while bytes.count + pattern.count <= count { bytes += pattern }
        return bytes + pattern.prefix(count - bytes.count)
    }

    /// Returns the same bytes as a stream of chunks.
    package static func chunks(_ count: Int, of size: Int) -> AsyncStream<Data> {
        let content = bytes(count * size)
        return AsyncStream { source in
            for index in 0..<count {
                source.yield(Data(content[(index * size)..<((index + 1) * size)]))
            }
            source.finish()
        }
    }

    /// "hello" as gzip with a stored block (RFC 1952).
    package static let gzip = Data([
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 5, 0, 0xFA, 0xFF, 0x68, 0x65, 0x6C, 0x6C, 0x6F,
        0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0,
    ])

    /// Empty content as gzip.
    package static let emptyGzip = Data([
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ])

    /// Passes the path of a file that is removed afterwards.
    package nonisolated(nonsending) static func withFile<Result>(
        _ content: Data,
        _ body: nonisolated(nonsending) (String) async throws -> Result
    ) async throws -> Result {
        let name = "conformance-\(Runtime.live.random())"
        let file = FileManager.default.temporaryDirectory.appending(path: name)
        try content.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try await body(file.path(percentEncoded: false))
    }
}
