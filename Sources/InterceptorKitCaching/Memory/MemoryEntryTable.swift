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

    typealias Place = RecencyList<Entry>.Place

    // More than a server's own variants. Varying by fields that clients choose would otherwise fill the store.
    private static let variantLimit = 64

    private(set) var list = RecencyList<Entry>()
    private(set) var bytes = 0
    private var places: [CacheKey: [Place]] = [:]
    private var partitions: [String: Set<String>] = [:]

    func responses(for key: CacheKey) -> [StoredResponse] {
        places[key]?.compactMap { list[$0]?.response } ?? []
    }

    mutating func use(_ response: StoredResponse) -> Data? {
        guard let place = place(of: response) else { return nil }
        list.use(place)
        return list[place]?.content
    }

    mutating func insert(_ response: StoredResponse, _ content: Data, _ size: Int) {
        let key = response.key
        for place in places[key] ?? [] where list[place]?.response.selection == response.selection {
            remove(place)
        }
        while let oldest = places[key]?.first, places[key]?.count == Self.variantLimit {
            remove(oldest)
        }
        let entry = Entry(response: response, content: content, size: size)
        places[key, default: []].append(list.insert(entry))
        partitions[key.url, default: []].insert(key.partition)
        bytes += size
    }

    mutating func update(_ response: StoredResponse) {
        guard let place = place(of: response), let entry = list[place] else { return }
        let size = response.size + entry.content.count
        list[place] = Entry(response: response, content: entry.content, size: size)
        bytes += size - entry.size
    }

    mutating func remove(_ response: StoredResponse) {
        if let place = place(of: response) { remove(place) }
    }

    mutating func removeAll(for url: String) {
        for partition in partitions[url] ?? [] {
            for place in places[CacheKey(url: url, partition: partition)] ?? [] { remove(place) }
        }
    }

    mutating func trim(to bounds: StoreBounds) {
        while bytes > bounds.bytes || list.count > bounds.entries, let oldest = list.oldest {
            remove(oldest)
        }
    }

    private func place(of response: StoredResponse) -> Place? {
        places[response.key]?.first { list[$0]?.response.id == response.id }
    }

    private mutating func remove(_ place: Place) {
        guard let entry = list.remove(place) else { return }
        bytes -= entry.size
        let key = entry.response.key
        places[key]?.removeAll { $0 == place }
        guard places[key]?.isEmpty == true else { return }
        places[key] = nil
        partitions[key.url]?.remove(key.partition)
        if partitions[key.url]?.isEmpty == true { partitions[key.url] = nil }
    }
}
