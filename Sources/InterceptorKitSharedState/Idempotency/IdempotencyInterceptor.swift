public import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Runs each request with an `Idempotency-Key` once, on any replica, and responds to its repetitions with the recorded
/// response (draft-ietf-httpapi-idempotency-key-header).
///
/// ```swift
/// IdempotencyInterceptor(store)
/// ```
///
/// On a server, put it below the interceptors that identify the caller and limit the load, and above the handler. Put a
/// `TimeoutInterceptor` below it; above it, a timeout leaves an unknown outcome.
///
/// | a request | gets |
/// |---|---|
/// | with a new key | the handler's response, which is recorded before it is returned |
/// | with a completed key | the recorded response, with `Idempotent-Replayed: true` |
/// | with a completed key whose response was too large to record | 409 |
/// | with a key in progress | the response, if it comes within ``IdempotencyPolicy/longestWait``; else 409 with `Retry-After` |
/// | with the key of another request | 422 |
/// | with a key whose holder died | 409, or the handler's response with ``IdempotencyPolicy/runsAgain`` |
/// | with a malformed key, or without one where it is required | 400 |
/// | of a principal with too many records | 429 with `Retry-After` |
/// | while the store is unavailable | 503 with `Retry-After`, or the handler's response with ``IdempotencyOutagePolicy/open`` |
///
/// Refusals have problem details (RFC 9457) whose member `code` distinguishes problems with the same status.
///
/// **The lease.** The key is held by a lease, which is extended while the handler runs. A replica that dies stops
/// extending it, so its key is in progress no longer than the lease. A holder that lost its lease, for example after a
/// long pause, records nothing.
///
/// **The effect.** No store can know whether the handler of a dead replica had its effect. By default repetitions get
/// 409 with the code `outcome-unknown`. To run again without a second effect, the handler commits the name of the
/// lease's key and its fencing token together with the effect, and allows only one effect of that name: see
/// `Call.idempotencyLease`.
///
/// **The caller.** If the caller disconnects, the handler goes on for ``IdempotencyPolicy/cancellationGrace``, so that
/// its response is available to the repetition.
///
/// **The fingerprint.** Principal and route are part of the key. The fingerprint is SHA-256 of the method, the target
/// with its query, `Content-Type`, `Content-Encoding` and the content.
///
/// **The record.** It has the status, the content and the fields except `Set-Cookie`, `Date` and those of the
/// connection. It is stored unencrypted: protect the store as you protect the responses.
public struct IdempotencyInterceptor: Interceptor {
    private let store: any IdempotencyStore
    private let policy: IdempotencyPolicy
    private let principal: @Sendable (_ request: HTTP.Request, _ call: Call) throws -> String
    private let lateGrants = LateGrants()

    /// Creates an interceptor.
    /// - Parameters:
    ///   - store: The store that the replicas share.
    ///   - policy: The settings. Defaults to the policy's defaults.
    ///   - principal: Returns the sender of a request, such as a tenant's id. Defaults to the id of `Call.principal`;
    ///     without one, a request with a key ends with a `SettingError`. A key is valid only for its principal: if all
    ///     senders have one name, a caller who guesses another caller's key gets the other caller's response.
    public init(
        _ store: some IdempotencyStore,
        policy: IdempotencyPolicy = IdempotencyPolicy(),
        principal: (@Sendable (_ request: HTTP.Request, _ call: Call) throws -> String)? = nil
    ) {
        self.store = store
        self.policy = policy
        self.principal =
            principal ?? { _, call in try call.principalID(for: "IdempotencyInterceptor.principal")
            }
    }

    public func validate() throws { try policy.validate() }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        guard policy.methods.contains(chain.input.method) else { return try await chain.proceed() }
        do {
            guard let clientKey = try chain.input.headers.receivedIdempotencyKey(in: policy.field)
            else {
                if policy.isKeyRequired { throw IdempotencyProblem.missingKey }
                return try await chain.proceed()
            }
            let key = IdempotencyRecordKey(
                principal: try principal(chain.input, chain.call),
                route: policy.route(chain.input),
                key: clientKey
            )
            return try await respond(to: chain, key)
        } catch let problem as IdempotencyProblem {
            chain.call.emit(
                .idempotencyRefused,
                ["reason": .text(problem.code)]
            )
            return problem.response
        }
    }

    private nonisolated(nonsending) func respond(
        to chain: InterceptorChain<HTTP.Request>,
        _ key: IdempotencyRecordKey
    ) async throws -> HTTP.Response {
        let request = try await chain.input.collected(upTo: policy.requestLimit)
        let claimant = IdempotencyClaimant(
            store: store,
            policy: policy,
            call: chain.call,
            lateGrants: lateGrants
        )
        let claim: IdempotencyClaim
        do {
            claim = try await claimant.claim(key, fingerprint: request.idempotencyFingerprint)
        } catch let error where !(error is CancellationError) {
            claimant.report(error)
            switch policy.whenUnavailable {
            case .closed: throw IdempotencyProblem.storeUnavailable
            case .open: return try await chain.proceed(request)
            }
        }
        switch claim {
        case .granted(let lease):
            let run = IdempotentRun(claimant: claimant, lease: lease)
            return try await run.response(to: request, chain)
        case .completed(let record): return try replay(record, chain.call, claimant)
        case .inProgress: throw IdempotencyProblem.inProgress
        case .mismatch: throw IdempotencyProblem.mismatch
        case .outcomeUnknown: throw IdempotencyProblem.outcomeUnknown
        case .quotaExceeded(let time): throw IdempotencyProblem.quotaExceeded(retryAfter: time)
        }
    }

    private func replay(
        _ record: Data,
        _ call: Call,
        _ claimant: IdempotencyClaimant
    ) throws -> HTTP.Response {
        let recorded: RecordedResponse
        do {
            recorded = try RecordedResponse(record)
        } catch {
            // For example a record of another version. The request was run, so it does not run again.
            claimant.report(error)
            throw IdempotencyProblem.responseNotKept
        }
        guard var response = recorded.response else { throw IdempotencyProblem.responseNotKept }
        response.headers["Idempotent-Replayed"] = "true"
        call.emit(.idempotencyReplayed)
        return response
    }
}

extension IdempotencyInterceptor: CustomStringConvertible {
    /// The interceptor as text, as in `IdempotencyInterceptor(EtcdIdempotencyStore, lease 15 s)`.
    public var description: String {
        "IdempotencyInterceptor(\(type(of: store)), lease \(policy.lease.formattedSeconds))"
    }
}

private enum IdempotencyLeaseKey: CallKey {
    static let defaultValue: IdempotencyLease? = nil
}

extension Call {
    /// The lease under which an ``IdempotencyInterceptor`` above runs this request; `nil` for a request without a key.
    ///
    /// The `name` of its key is the same for all repetitions of the request. Store it with the effect, in one
    /// transaction and under a unique index, so that a request that runs again finds the first effect.
    ///
    /// ```sql
    /// INSERT INTO payments (request, token, amount) VALUES ($name, $token, $amount)
    /// ON CONFLICT (request) DO NOTHING
    /// ```
    ///
    /// Its `token` grows with each run. For requests that change existing data, it lets a database refuse a holder that
    /// was overtaken: `UPDATE orders SET state = 'paid', token = $token WHERE id = $id AND token < $token`.
    public internal(set) var idempotencyLease: IdempotencyLease? {
        get { self[IdempotencyLeaseKey.self] }
        set { self[IdempotencyLeaseKey.self] = newValue }
    }
}

extension Event.Name {
    /// A recorded response was returned to a repetition.
    public static let idempotencyReplayed: Self = "idempotency.replayed"
    /// A request was not run; `reason` is the `code` of the problem details.
    public static let idempotencyRefused: Self = "idempotency.refused"
    /// A holder lost its lease before it had recorded a response, and records none.
    public static let idempotencyLeaseLost: Self = "idempotency.lease_lost"
}
