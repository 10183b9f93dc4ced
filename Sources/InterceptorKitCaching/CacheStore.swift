public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A store for a ``CacheInterceptor``: ``MemoryCacheStore``, ``DiskCacheStore``, or your own.
///
/// One key may have several responses, which differ in the fields of their requests (``StoredResponse/selection``, RFC
/// 9111 section 4.1). A store does not decide about freshness. It may remove a response at any time, and never returns
/// an incomplete one.
///
/// A store's error never fails a call: the interceptor continues without the store and reports the event
/// `Event.Name.cacheStoreFailed`.
public protocol CacheStore: Sendable {
    /// Returns the responses stored under a key, without their bodies.
    nonisolated(nonsending) func responses(for key: CacheKey) async throws -> [StoredResponse]

    /// Returns the complete, unchanged body of a stored response, which can be read more than once; `nil` if the
    /// response is no longer stored. This counts as a use of the response.
    nonisolated(nonsending) func body(of response: StoredResponse) async throws -> HTTP.Body?

    /// Finds the responses stored under a key and opens the body of the chosen one, in one lookup.
    ///
    /// The default implementation calls ``responses(for:)`` and ``body(of:)``. Implement this method if the store saves
    /// work by combining them.
    /// - Parameters:
    ///   - key: The key.
    ///   - choose: Chooses among the responses found. It is called once, must not block, and returns a response only if
    ///     the body will be used.
    /// - Returns: The decision of `choose`, and the chosen response's body; `nil` if `choose` chose none or the
    ///   response is no longer stored.
    nonisolated(nonsending) func open<Decision: Sendable>(
        _ key: CacheKey,
        _ choose: @Sendable (_ found: [StoredResponse]) -> (Decision, StoredResponse?)
    ) async throws -> (decision: Decision, body: HTTP.Body?)

    /// Begins to store a response, which can be found once it is committed. It then replaces the response with the same
    /// key and selection.
    /// - Parameters:
    ///   - response: The response's head.
    ///   - length: The number of bytes of the body, if known.
    /// - Returns: A writer; `nil` if the response will not be stored, for example because it is too large.
    nonisolated(nonsending) func writer(
        for response: StoredResponse,
        length: Int?
    ) async throws -> (any CacheWriter)?

    /// Replaces the head of the stored response with the same ``StoredResponse/id`` and keeps its body. Does nothing if
    /// the response is no longer stored.
    nonisolated(nonsending) func update(_ response: StoredResponse) async throws

    /// Removes one response.
    nonisolated(nonsending) func remove(_ response: StoredResponse) async throws

    /// Removes all responses for a URL from every partition.
    nonisolated(nonsending) func removeAll(for url: String) async throws

    /// Removes all responses.
    nonisolated(nonsending) func removeAll() async throws

    /// Returns the stored responses for inspection, the most recently used first.
    nonisolated(nonsending) func contents() async throws -> [StoredResponse]

    /// Returns the number and size of the stored responses.
    nonisolated(nonsending) func usage() async throws -> CacheUsage
}

extension CacheStore {
    /// Finds the responses stored under a key and opens the body of the chosen one, in two lookups.
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
/// A writer that is released before ``commit(if:)`` leaves nothing behind.
public protocol CacheWriter: AnyObject, Sendable {
    /// Writes the next bytes.
    /// - Throws: An error if the bytes cannot be stored; nothing more is written after it.
    nonisolated(nonsending) func write(_ chunk: Data) async throws

    /// Completes the body, after which the response can be found.
    /// - Parameter isWanted: Called in the step that stores the response: no removal by this process comes between, and
    ///   an outdated response is never found. It must not block.
    /// - Returns: Whether the response is stored. If not, nothing is left behind.
    nonisolated(nonsending) func commit(if isWanted: @Sendable () -> Bool) async throws -> Bool

    /// Discards the response. May be called at any time; does nothing after ``commit(if:)``.
    func abandon()
}

extension CacheWriter {
    /// Completes the body, without a condition.
    public nonisolated(nonsending) func commit() async throws {
        _ = try await commit(if: { true })
    }
}

/// The number and size of a store's responses.
public struct CacheUsage: Sendable, Hashable {
    /// The number of responses.
    public var entries: Int
    /// The size of the responses with their heads, in bytes.
    public var bytes: Int

    /// Creates a usage value.
    public init(entries: Int, bytes: Int) {
        self.entries = entries
        self.bytes = bytes
    }
}
