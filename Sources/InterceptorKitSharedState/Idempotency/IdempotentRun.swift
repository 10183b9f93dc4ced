import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One run of a request under a lease: the handler, the extensions meanwhile, and the record afterwards.
struct IdempotentRun: Sendable {
    private typealias Outcome = Result<(response: HTTP.Response, record: Data), any Error>

    let claimant: IdempotencyClaimant
    let lease: IdempotencyLease

    private var policy: IdempotencyPolicy { claimant.policy }
    private var store: any IdempotencyStore { claimant.store }
    private var call: Call { claimant.call }
    private var runtime: Runtime { call.runtime }

    nonisolated(nonsending) func response(
        to request: HTTP.Request,
        _ chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        let keeper = runtime.start("keeper of an idempotency lease") { await keepLease() }
        let outcome = await outcome(of: request, chain)
        keeper.cancel()
        await keeper.value
        await settle(outcome)
        return try outcome.get().response
    }

    private func keepLease() async {
        var next = runtime.now.advanced(by: policy.lease / 3)
        while (try? await runtime.sleep(until: next)) != nil {
            // Counted from the start of the extension, so that one that hangs does not delay the next.
            next = runtime.now.advanced(by: policy.lease / 3)
            // One failure is ignored: another extension fits into the lease.
            let isHeld = try? await runtime.withStoreTimeout(policy.extensionTimeout) {
                try await store.extend(lease, terms: policy.terms)
            }
            guard isHeld == false else { continue }
            call.emit(.idempotencyLeaseLost)
            return
        }
    }

    /// Runs the handler in a separate task, so that it can outlast its caller for a while.
    private nonisolated(nonsending) func outcome(
        of request: HTTP.Request,
        _ chain: InterceptorChain<HTTP.Request>
    ) async -> Outcome {
        let outcome = Box<Outcome>()
        var call = call
        call.idempotencyLease = lease
        let work = runtime.start("idempotent request") { [call] in
            do {
                let response = try await chain.proceed(request, call: call)
                let record = try await RecordedResponse.record(
                    of: response,
                    upTo: policy.responseLimit
                )
                outcome.set(.success((response, record)))
            } catch {
                outcome.set(.failure(error))
            }
        }
        let grace = Box<DeadlineTimer>()
        await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            let end = runtime.now.advanced(by: policy.cancellationGrace)
            grace.set(runtime.timer(at: end, "grace of an idempotent request") { work.cancel() })
        }
        grace.value?.cancel()
        return outcome.value ?? .failure(CancellationError())
    }

    private nonisolated(nonsending) func settle(_ outcome: Outcome) async {
        let holdsLease: Bool
        do {
            holdsLease = try await claimant.perform {
                switch policy.disposition(outcome.map(\.response)) {
                case .record:
                    guard case .success(let success) = outcome else { return try await abandon() }
                    return try await store.complete(
                        lease,
                        with: success.record,
                        keepingFor: policy.lifetime
                    )
                case .release: return try await store.release(lease)
                case .unknown: return try await abandon()
                }
            }
        } catch {
            // Unless the lease is released later, it ends by itself, and the outcome is then unknown.
            if case .release = policy.disposition(outcome.map(\.response)) {
                claimant.lateGrants.release(to: claimant, lease)
            }
            return claimant.report(error)
        }
        if !holdsLease { call.emit(.idempotencyLeaseLost) }
    }

    private func abandon() async throws -> Bool {
        try await store.abandon(lease, keepingFor: policy.lifetime)
    }
}
