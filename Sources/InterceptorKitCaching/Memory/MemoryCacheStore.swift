public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A cache store in the memory of this process, with limits; it evicts the least recently used responses.
///
/// Any number of caches may share a store; private caches separate users by their partitions.
public final class MemoryCacheStore: CacheStore {
    private let bounds: StoreBounds
    private let table: Lock<MemoryEntryTable>

    /// Creates an empty store. Limits below zero count as zero.
    /// - Parameters:
    ///   - maxBytes: The largest total size in bytes, including heads. Defaults to 100 MB.
    ///   - maxEntries: The largest number of responses. Defaults to 1,024, as in undici.
    ///   - maxEntryBytes: The largest size of a response in bytes, including its head. Defaults to 5 MB, as
    ///     in undici.
    public init(
        maxBytes: Int = 100_000_000,
        maxEntries: Int = 1024,
        maxEntryBytes: Int = 5_000_000
    ) {
        bounds = StoreBounds(bytes: maxBytes, entries: maxEntries, entryBytes: maxEntryBytes)
        table = Lock(MemoryEntryTable())
    }

    public func responses(for key: CacheKey) async -> [StoredResponse] {
        table.withLock { $0.responses(for: key) }
    }

    public func body(of response: StoredResponse) async -> HTTP.Body? {
        table.withLock { $0.use(response) }.map { .bytes($0) }
    }

    public func writer(
        for response: StoredResponse,
        length: Int?
    ) async -> (any CacheWriter)? {
        let size = response.size
        guard bounds.allows(size.saturatingAdding(max(0, length ?? 0))) else { return nil }
        return Writer(response, size, self)
    }

    public func update(_ response: StoredResponse) async {
        table.withLock { table in
            table.update(response)
            table.trim(to: bounds)
        }
    }

    public func remove(_ response: StoredResponse) async {
        table.withLock { $0.remove(response) }
    }

    public func removeAll(for url: String) async {
        table.withLock { $0.removeAll(for: url) }
    }

    public func removeAll() async {
        table.withLock { $0 = MemoryEntryTable() }
    }

    public func contents() async -> [StoredResponse] {
        table.withLock { $0.list.values.map(\.response) }
    }

    public func usage() async -> CacheUsage {
        table.withLock { CacheUsage(entries: $0.list.count, bytes: $0.bytes) }
    }

    private final class Writer: CacheWriter {
        private let response: StoredResponse
        private let size: Int
        private let store: MemoryCacheStore
        private let content = Lock<Data?>(Data())

        init(_ response: StoredResponse, _ size: Int, _ store: MemoryCacheStore) {
            self.response = response
            self.size = size
            self.store = store
        }

        func write(_ chunk: Data) async throws {
            let isTooLarge = content.withLock { content in
                guard content != nil else { return false }
                content?.append(chunk)
                guard !store.bounds.allows(size + (content?.count ?? 0)) else { return false }
                content = nil
                return true
            }
            if isTooLarge { throw StoreError.tooLarge(store.bounds.entryBytes - size) }
        }

        func commit(if isWanted: @Sendable () -> Bool) async -> Bool {
            guard let content = content.withLock({ $0.take() }) else { return false }
            return store.table.withLock { table in
                guard isWanted() else { return false }
                table.insert(response, content, size + content.count)
                table.trim(to: store.bounds)
                return true
            }
        }

        func abandon() { content.withLock { $0 = nil } }
    }
}

struct StoreBounds: Sendable {
    let bytes: Int
    let entries: Int
    let entryBytes: Int

    init(bytes: Int, entries: Int, entryBytes: Int) {
        self.bytes = max(0, bytes)
        self.entries = max(0, entries)
        self.entryBytes = max(0, entryBytes)
    }

    func allows(_ size: Int) -> Bool { size <= entryBytes && size <= bytes && entries > 0 }
}
