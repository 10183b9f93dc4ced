package import InterceptorKit

/// Work during which a lease is kept that a server gave, so that it ends soon after its holder does.
package struct LeaseKeeping: Sendable {
    private let runtime: Runtime
    private let lease: Duration
    private let extend: @Sendable () async -> Void
    private let release: @Sendable () async -> Void

    /// - Parameters:
    ///   - lease: How long it lasts; it is extended in each third of this time.
    ///   - extend: Extends it. A failure is no matter: another try fits into the lease.
    ///   - release: Gives it back. If that fails the lease ends by itself.
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

    /// Runs work, and gives the lease back.
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
        await giveBack()
        return try result.get()
    }

    /// Gives the lease back, in a task of its own because the caller may be cancelled.
    package nonisolated(nonsending) func giveBack() async {
        await runtime.start("release of a lease") { await release() }.value
    }
}
