import InterceptorKit
import InterceptorKitAuthentication

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A lock between processes on any machines, held by a lease, so that it ends soon after its holder.
struct EtcdLock: Sendable {
    let gateway: EtcdGateway
    let key: Data
    let lease: Duration
    let limit: Duration

    private var runtime: Runtime { gateway.runtime }

    nonisolated(nonsending) func hold<Result: Sendable>(
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await keeping(try await acquire()).during(body)
    }

    private func keeping(_ lease: EtcdNumber) -> LeaseKeeping {
        LeaseKeeping(self.lease, on: runtime) {
            _ = try? await gateway.keepAlive(lease)
        } release: {
            try? await gateway.revoke(lease)
        }
    }

    private nonisolated(nonsending) func acquire() async throws -> EtcdNumber {
        let deadline = runtime.now.advanced(by: limit)
        let holder = Data("\(runtime.random())-\(runtime.identifier())".utf8)
        var lease = try await gateway.grantLease(self.lease)
        do {
            while true {
                let other = try await tryOnce(holder, lease)
                guard let other else { return lease }
                let left = runtime.now.duration(to: deadline)
                guard left > .zero else { throw timedOut }
                try await wait(for: other, atMost: min(left, self.lease / 3))
                if try await !gateway.keepAlive(lease) {
                    lease = try await gateway.grantLease(self.lease)
                }
            }
        } catch {
            await keeping(lease).releaseLease()
            throw error
        }
    }

    /// - Returns: The revision in which another process took the lock; `nil` if this process has it.
    private nonisolated(nonsending) func tryOnce(
        _ holder: Data,
        _ lease: EtcdNumber
    ) async throws -> EtcdNumber? {
        let response = try await gateway.transact(
            EtcdTransaction(
                compare: [.init(key: key, revision: EtcdNumber(0))],
                success: [.put(key, holder, lease: lease)],
                failure: [.range(key)]
            )
        )
        if response.succeeded == true { return nil }
        guard let entry = response.entries.first.flatMap(\.self) else {
            return response.header.revision
        }
        // A request whose response was lost may already have taken the lock for us.
        return entry.value == holder ? nil : entry.modified
    }

    /// Waits until the lock is deleted; waits briefly if the watch fails, as through a proxy that buffers the stream.
    private nonisolated(nonsending) func wait(
        for revision: EtcdNumber,
        atMost limit: Duration
    ) async throws {
        do {
            try await gateway.waitForDeletion(of: key, after: revision, atMost: limit)
        } catch {
            try Task.checkCancellation()
            try await runtime.sleep(for: min(limit, .milliseconds(100)))
        }
    }

    private var timedOut: CredentialStoreError {
        CredentialStoreError(
            .lockTimedOut,
            "Another refresh kept the shared credential locked for more than "
                + "\(limit.wholeSeconds) s. Try again later."
        )
    }
}
