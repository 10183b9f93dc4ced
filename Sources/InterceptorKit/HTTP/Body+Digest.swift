extension HTTP.Body {
    /// The digest of a body that can be read again.
    ///
    /// Hashes as it reads, so a large file is never in memory, and away from the caller's actor.
    @concurrent
    func digest(
        _ algorithm: HashAlgorithm
    ) async throws -> HashAlgorithm.Digest {
        var hash = RunningHash(algorithm)
        for try await chunk in self { hash.update(chunk) }
        return hash.finalize()
    }
}
