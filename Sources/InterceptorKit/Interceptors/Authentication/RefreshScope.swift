extension CredentialCache {
    /// Whether the calling task is this cache's refresh, whose own requests must not wait for it.
    var isRefreshingHere: Bool { RefreshScope.caches.contains(ObjectIdentifier(self)) }

    /// Runs a function of the source, whose own requests then pass without a credential.
    nonisolated(nonsending) func scoped(
        _ ask: nonisolated(nonsending) () async throws -> Credential?
    ) async throws -> Credential? {
        let scope = RefreshScope.caches + [ObjectIdentifier(self)]
        return try await RefreshScope.$caches.withValue(scope) { try await ask() }
    }
}

/// The caches whose refresh the current task belongs to, so that its own requests bypass them.
private enum RefreshScope {
    @TaskLocal static var caches: [ObjectIdentifier] = []
}
