#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The response of an ``IdempotencyStore`` to a claim.
public enum IdempotencyClaim: Sendable, Hashable {
    /// The key is held: run the request.
    case granted(IdempotencyLease)
    /// The request was completed: return this response, in the interceptor's encoding.
    case completed(Data)
    /// Another holder runs the request. Its lease ends after this time unless it is extended.
    case inProgress(remaining: Duration)
    /// The key was used for another request.
    case mismatch
    /// A holder's lease ended before it completed the request, and it is unknown whether the request had its effect.
    case outcomeUnknown
    /// The principal has reached its quota of records, the first of which ends after this time.
    case quotaExceeded(retryAfter: Duration)
}

/// The right to run a request and to record its response, until it ends or is lost.
public struct IdempotencyLease: Sendable, Hashable {
    /// The key.
    public let key: IdempotencyRecordKey
    /// The fencing token, larger than that of every earlier holder of the key.
    ///
    /// Tokens are large, such as microseconds since 1970, and fit into the signed 64-bit integers of databases.
    public let token: Int64

    /// Creates a lease, for a store.
    /// - Parameters:
    ///   - key: The key.
    ///   - token: The fencing token.
    public init(key: IdempotencyRecordKey, token: Int64) {
        self.key = key
        self.token = token
    }
}
