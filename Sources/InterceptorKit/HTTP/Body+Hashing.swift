#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTP.Body {
    /// Reads a body that can be read again for its hash, chunk by chunk; one that cannot is used up.
    @concurrent
    func hash(by algorithm: HashAlgorithm) async throws -> HashAlgorithm.Digest {
        var hash = RunningHash(algorithm)
        for try await chunk in self { hash.update(chunk) }
        return hash.finalize()
    }
}
