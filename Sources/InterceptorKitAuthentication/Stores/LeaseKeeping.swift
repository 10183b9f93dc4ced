package import InterceptorKit

/// Keeps a server's lease extended while work runs, so that the lease ends soon after its holder does.
package struct LeaseKeeping: Sendable {
    private let runtime: Runtime
    private let lease: Duration
    private let extend: @Sendable () async -> Void
    private let release: @Sendable () async -> Void

    /// - Parameters:
    ///   - lease: The lease's duration. It is extended after each third of this time.
    ///   - extend: Extends the lease. A failure does not matter, because another try fits into the lease.
    ///   - release: Releases the lease. If that fails, the lease ends by itself.
    package init(
        _ lease: Duration,
        on runtime: Runtime,
        extend: @escaping @Sendable () async -> Void,
        release: @escaping @Sendable () async -> Void
    ) {
        self.lease = lease
        self.runtime = runtime
        self.extend = extend
        self.release = release
    }

    /// Runs work, and then releases the lease.
    package nonisolated(nonsending) func during<Result: Sendable>(
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        let keeper = runtime.start("keeper of a lease") {
            while (try? await runtime.sleep(for: lease / 3)) != nil { await extend() }
        }
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        keeper.cancel()
        await keeper.value
        await releaseLease()
        return try result.get()
    }

    /// Releases the lease, in a separate task because the caller may be cancelled.
    package nonisolated(nonsending) func releaseLease() async {
        await runtime.start("release of a lease") { await release() }.value
    }
}
