#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A store of the responses to idempotent requests, shared by the replicas of a service.
///
/// An ``IdempotencyInterceptor`` claims a key before it runs a handler, extends the lease while the handler runs, and
/// completes the record with the response. A custom store must keep these promises, which `StoreConformance` of
/// `InterceptorKitConformance` tests.
///
/// A key is in one of four states:
///
/// | state | ends |
/// |---|---|
/// | free: there is no record | with a claim |
/// | held: a holder runs the request under a lease | with ``complete(_:with:keepingFor:)``, ``release(_:)``, ``abandon(_:keepingFor:)``, or when the lease ends |
/// | unknown: the lease ended and no outcome was reported | after the ``IdempotencyTerms/lifetime``, or with a claim that runs it again |
/// | completed: the response is recorded | after the lifetime given with it |
///
/// - **Each operation is one atomic step.** Of any number of concurrent claims, at most one is granted.
/// - **The store's clock decides** when a lease or a record ends, never a caller's. A lease ends at its time even if no
///   operation has noticed it before.
/// - **A lease is lost for good.** Once it has ended, or another holder has the key, extending, completing, releasing
///   and abandoning change nothing and return `false`, even if nobody else has claimed the key.
/// - **Fencing tokens of a key only grow**, even after the end of its record and after a restart of the store.
/// - **An operation that throws may have been carried out**, so each can be repeated: a claim by the holder that has
///   the key is granted the same lease again, and completing a record again with the same lease returns `true` and
///   keeps the first response.
///
/// Operations throw if the store can't be reached, and `CancellationError` promptly when the task is cancelled. The
/// interceptor limits the time of each operation.
public protocol IdempotencyStore: Sendable {
    /// Claims a key for a request, or returns the reason why it cannot.
    ///
    /// In this order: a record with another fingerprint is a ``IdempotencyClaim/mismatch``; a completed record is
    /// ``IdempotencyClaim/completed(_:)``; a record that this holder has is granted with the same token, and its lease
    /// is extended; a record that another holder has is ``IdempotencyClaim/inProgress(remaining:)``; an unknown record
    /// is ``IdempotencyClaim/outcomeUnknown``, unless ``IdempotencyTerms/runsAgain``. A new record above the
    /// ``IdempotencyTerms/quota`` is ``IdempotencyClaim/quotaExceeded(retryAfter:)``. Otherwise the key is held from
    /// now on, for the ``IdempotencyTerms/lease``, with a larger token than any before.
    /// - Parameters:
    ///   - key: The key with its scope.
    ///   - holder: A random id of this claim, by which its repetition is recognised. At most 64 bytes.
    ///   - fingerprint: The digest of the request; 32 bytes from the interceptor.
    ///   - terms: The times and limits of the claim.
    func claim(
        _ key: IdempotencyRecordKey,
        holder: String,
        fingerprint: Data,
        terms: IdempotencyTerms
    ) async throws -> IdempotencyClaim

    /// Extends a lease, counted from now.
    /// - Parameters:
    ///   - lease: The lease that ``claim(_:holder:fingerprint:terms:)`` granted.
    ///   - terms: The terms of the claim, of which only the lease and the lifetime are used.
    /// - Returns: Whether the lease was still held.
    func extend(_ lease: IdempotencyLease, terms: IdempotencyTerms) async throws -> Bool

    /// Records the response and ends the lease.
    /// - Parameters:
    ///   - lease: The lease.
    ///   - response: The response to return to repetitions, in the interceptor's encoding.
    ///   - lifetime: The time for which the record is kept, from now.
    /// - Returns: Whether the response is recorded; `false` if the lease was lost.
    func complete(
        _ lease: IdempotencyLease,
        with response: Data,
        keepingFor lifetime: Duration
    ) async throws -> Bool

    /// Frees the key of a request that had no effect: the next claim is granted.
    /// - Returns: Whether the lease was still held.
    func release(_ lease: IdempotencyLease) async throws -> Bool

    /// Ends a lease at once, for a request with an unknown outcome.
    /// - Parameters:
    ///   - lease: The lease.
    ///   - lifetime: The time for which claims get ``IdempotencyClaim/outcomeUnknown``, from now.
    /// - Returns: Whether the lease was still held.
    func abandon(_ lease: IdempotencyLease, keepingFor lifetime: Duration) async throws -> Bool
}
