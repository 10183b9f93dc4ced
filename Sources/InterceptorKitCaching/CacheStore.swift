public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Keeps responses for a ``CacheInterceptor``: ``MemoryCacheStore``, ``DiskCacheStore``, or one of your
/// own.
///
/// Under one key there may be several responses, told apart by what their requests asked for
/// (``StoredResponse/selection``, RFC 9111 section 4.1). A store decides nothing about freshness: it
/// keeps what it is given, may forget any of it at any time, and never hands out what is not whole.
///
/// A store that throws never fails a call: the interceptor goes on without it and reports the event
/// `Event.Name.cacheStoreFailed`.
public protocol CacheStore: Sendable {
    /// The responses stored under a key, without their bodies.
    nonisolated(nonsending) func responses(for key: CacheKey) async throws -> [StoredResponse]

    /// The body of a stored response, whole and as it was written, one that can be read more than
    /// once; `nil` if it is no longer there.
    ///
    /// Asked for when it is served, so this is what counts as a use.
    nonisolated(nonsending) func body(of response: StoredResponse) async throws -> HTTP.Body?

    /// Begins to store a response. It takes the place of those with its key and selection once it is
    /// committed, and cannot be found before.
    /// - Parameters:
    ///   - response: Its head.
    ///   - length: The number of bytes that will be written, if known.
    /// - Returns: `nil` if it will not be stored, as one that is too large.
    nonisolated(nonsending) func writer(
        for response: StoredResponse,
        length: Int?
    ) async throws -> (any CacheWriter)?

    /// Replaces the head of a stored response, the one with the same ``StoredResponse/id``; its body
    /// stays. Does nothing if it is no longer there.
    nonisolated(nonsending) func update(_ response: StoredResponse) async throws

    /// Forgets one response.
    nonisolated(nonsending) func remove(_ response: StoredResponse) async throws

    /// Forgets whatever is stored for a URL, in every partition.
    nonisolated(nonsending) func removeAll(for url: String) async throws

    /// Forgets everything.
    nonisolated(nonsending) func removeAll() async throws

    /// The responses that are stored, the one used last first; for inspection.
    nonisolated(nonsending) func contents() async throws -> [StoredResponse]

    /// How much is stored.
    nonisolated(nonsending) func usage() async throws -> CacheUsage
}

/// Takes the body of a response that is being stored.
///
/// One that goes without ``commit(if:)`` leaves nothing behind.
public protocol CacheWriter: AnyObject, Sendable {
    /// Takes the next bytes.
    /// - Throws: If they cannot be kept; nothing more is written then.
    nonisolated(nonsending) func write(_ chunk: Data) async throws

    /// Says that the body was complete: only from now on can the response be found.
    /// - Parameter isWanted: Asked in the step that stores the response, so that nothing of its URL is
    ///   removed by this process between the response and that step: what was outdated on the way is never
    ///   found. Does not block.
    /// - Returns: Whether it is stored. If not, nothing is left behind.
    nonisolated(nonsending) func commit(if isWanted: @Sendable () -> Bool) async throws -> Bool

    /// Leaves nothing behind. May be called at any time; after ``commit(if:)`` it does nothing.
    func abandon()
}

extension CacheWriter {
    /// Says that the body was complete, whatever happened on the way.
    public nonisolated(nonsending) func commit() async throws {
        _ = try await commit(if: { true })
    }
}

/// How much a store holds.
public struct CacheUsage: Sendable, Hashable {
    /// The number of responses.
    public var entries: Int
    /// What they take, in bytes, heads included.
    public var bytes: Int

    /// Creates a figure.
    public init(entries: Int, bytes: Int) {
        self.entries = entries
        self.bytes = bytes
    }
}
