public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A store for a ``CacheInterceptor``: ``MemoryCacheStore``, ``DiskCacheStore``, or your own.
///
/// One key may have several responses, which differ in the fields of their requests
/// (``StoredResponse/selection``, RFC 9111 section 4.1). A store decides nothing about freshness: it keeps
/// what it gets, may remove any of it at any time, and never returns an incomplete response.
///
/// An error of a store never fails a call: the interceptor goes on without it and reports the event
/// `Event.Name.cacheStoreFailed`.
public protocol CacheStore: Sendable {
    /// Returns the responses stored under a key, without their bodies.
    nonisolated(nonsending) func responses(for key: CacheKey) async throws -> [StoredResponse]

    /// Returns the complete, unchanged body of a stored response, which can be read more than once; `nil` if
    /// it is no longer stored.
    ///
    /// It is called when the response is used, so this counts as a use.
    nonisolated(nonsending) func body(of response: StoredResponse) async throws -> HTTP.Body?

    /// Finds the responses stored under a key and opens the one that is chosen, in one look-up.
    ///
    /// By default, it calls ``responses(for:)`` and ``body(of:)``. Implement it if a store can spare work by
    /// doing both at once.
    /// - Parameters:
    ///   - key: The key.
    ///   - choose: Chooses among what was found; called once, and must not block. It returns a response only
    ///     if its body will be used.
    /// - Returns: What `choose` decided, and the body of the response it returned; `nil` if it returned none,
    ///   or if that is no longer stored.
    nonisolated(nonsending) func open<Decision: Sendable>(
        _ key: CacheKey,
        _ choose: @Sendable (_ found: [StoredResponse]) -> (Decision, StoredResponse?)
    ) async throws -> (decision: Decision, body: HTTP.Body?)

    /// Begins to store a response. It replaces those with its key and selection when it is committed, and
    /// cannot be found before.
    /// - Parameters:
    ///   - response: The response's head.
    ///   - length: The number of bytes to be written, if known.
    /// - Returns: A writer; `nil` if the response will not be stored, for example because it is too large.
    nonisolated(nonsending) func writer(
        for response: StoredResponse,
        length: Int?
    ) async throws -> (any CacheWriter)?

    /// Replaces the head of the stored response with the same ``StoredResponse/id``; its body stays. Does
    /// nothing if it is no longer stored.
    nonisolated(nonsending) func update(_ response: StoredResponse) async throws

    /// Removes one response.
    nonisolated(nonsending) func remove(_ response: StoredResponse) async throws

    /// Removes all responses for a URL, in every partition.
    nonisolated(nonsending) func removeAll(for url: String) async throws

    /// Removes all responses.
    nonisolated(nonsending) func removeAll() async throws

    /// Returns the stored responses, the most recently used first, for inspection.
    nonisolated(nonsending) func contents() async throws -> [StoredResponse]

    /// Returns how much is stored.
    nonisolated(nonsending) func usage() async throws -> CacheUsage
}

extension CacheStore {
    /// Finds the responses stored under a key and opens the one that is chosen, in two look-ups.
    public nonisolated(nonsending) func open<Decision: Sendable>(
        _ key: CacheKey,
        _ choose: @Sendable (_ found: [StoredResponse]) -> (Decision, StoredResponse?)
    ) async throws -> (decision: Decision, body: HTTP.Body?) {
        let (decision, chosen) = choose(try await responses(for: key))
        guard let chosen else { return (decision, nil) }
        return (decision, try await body(of: chosen))
    }
}

/// A writer for the body of a response that is being stored.
///
/// A writer that is released without ``commit(if:)`` leaves nothing behind.
public protocol CacheWriter: AnyObject, Sendable {
    /// Writes the next bytes.
    /// - Throws: An error if they cannot be stored; then nothing more is written.
    nonisolated(nonsending) func write(_ chunk: Data) async throws

    /// Completes the body; only then can the response be found.
    /// - Parameter isWanted: Called in the same step that stores the response, so this process removes
    ///   nothing of its URL in between and an outdated response is never found. Must not block.
    /// - Returns: Whether the response is stored. If not, nothing is left behind.
    nonisolated(nonsending) func commit(if isWanted: @Sendable () -> Bool) async throws -> Bool

    /// Discards the response. May be called at any time; after ``commit(if:)`` it does nothing.
    func abandon()
}

extension CacheWriter {
    /// Completes the body, without a condition.
    public nonisolated(nonsending) func commit() async throws {
        _ = try await commit(if: { true })
    }
}

/// The amount of data in a store.
public struct CacheUsage: Sendable, Hashable {
    /// The number of responses.
    public var entries: Int
    /// The bytes they take, including their heads.
    public var bytes: Int

    /// Creates a usage value.
    public init(entries: Int, bytes: Int) {
        self.entries = entries
        self.bytes = bytes
    }
}
