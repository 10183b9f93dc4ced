#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTP.Body {
    /// Reads and hashes the body chunk by chunk. A body that can be read once is used up.
    /// - Parameter algorithm: The hash function.
    /// - Throws: The error of reading the body.
    @concurrent
    public func hash(by algorithm: HashAlgorithm) async throws -> HashAlgorithm.Digest {
        var hash = RunningHash(algorithm)
        if let data = inMemory {
            // What most requests that are signed have.
            if data.isEmpty, algorithm == .sha256 { return Self.emptySHA256 }
            hash.update(data)
            return hash.finalize()
        }
        // However short the first chunk is.
        if (length ?? .max) >= RunningHash.systemMinimum { hash.leaveToSystem() }
        for try await chunk in self { hash.update(chunk) }
        return hash.finalize()
    }

    private static let emptySHA256 = HashAlgorithm.sha256.hash([])
}
