import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct MemoryEntryTable: Sendable {
    struct Entry: Sendable {
        var response: StoredResponse
        let content: Data
        let size: Int
    }

    typealias Index = RecencyList<Entry>.Index

    // More than a server's own variants. Varying by fields that clients choose would otherwise fill the store.
    private static let variantLimit = 64

    private(set) var list = RecencyList<Entry>()
    private(set) var bytes = 0
    private var indices: [CacheKey: [Index]] = [:]
    private var partitions: [String: Set<String>] = [:]

    func responses(for key: CacheKey) -> [StoredResponse] {
        indices[key]?.compactMap { list[$0]?.response } ?? []
    }

    mutating func use(_ response: StoredResponse) -> Data? {
        guard let index = index(of: response) else { return nil }
        list.use(index)
        return list[index]?.content
    }

    mutating func insert(_ response: StoredResponse, _ content: Data, _ size: Int) {
        let key = response.key
        for index in indices[key] ?? [] where list[index]?.response.selection == response.selection
        {
            remove(index)
        }
        while let oldest = indices[key]?.first, indices[key]?.count == Self.variantLimit {
            remove(oldest)
        }
        let entry = Entry(response: response, content: content, size: size)
        indices[key, default: []].append(list.insert(entry))
        partitions[key.url, default: []].insert(key.partition)
        bytes += size
    }

    mutating func update(_ response: StoredResponse) {
        guard let index = index(of: response), let entry = list[index] else { return }
        let size = response.size + entry.content.count
        list[index] = Entry(response: response, content: entry.content, size: size)
        bytes += size - entry.size
    }

    mutating func remove(_ response: StoredResponse) {
        if let index = index(of: response) { remove(index) }
    }

    mutating func removeAll(for url: String) {
        for partition in partitions[url] ?? [] {
            for index in indices[CacheKey(url: url, partition: partition)] ?? [] { remove(index) }
        }
    }

    mutating func trim(to bounds: StoreBounds) {
        while bytes > bounds.bytes || list.count > bounds.entries, let oldest = list.oldest {
            remove(oldest)
        }
    }

    private func index(of response: StoredResponse) -> Index? {
        indices[response.key]?.first { list[$0]?.response.id == response.id }
    }

    private mutating func remove(_ index: Index) {
        guard let entry = list.remove(index) else { return }
        bytes -= entry.size
        let key = entry.response.key
        indices[key]?.removeAll { $0 == index }
        guard indices[key]?.isEmpty == true else { return }
        indices[key] = nil
        partitions[key.url]?.remove(key.partition)
        if partitions[key.url]?.isEmpty == true { partitions[key.url] = nil }
    }
}
