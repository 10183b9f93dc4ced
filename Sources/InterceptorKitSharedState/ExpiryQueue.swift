import InterceptorKit

/// A queue of keys by expiry: the first key is found in constant time, and a key is changed or removed in logarithmic
/// time, so a full store detects that it is full as fast as it serves.
struct ExpiryQueue<Key: Hashable> {
    private struct Entry {
        let key: Key
        var end: Runtime.Instant
    }

    // A binary heap, and the index of each key in it.
    private var entries: [Entry] = []
    private var indices: [Key: Int] = [:]

    var count: Int { entries.count }

    /// The key that expires first, and its expiry.
    var first: (key: Key, end: Runtime.Instant)? { entries.first.map { ($0.key, $0.end) } }

    /// The expiry of a key; `nil` for an absent key.
    subscript(key: Key) -> Runtime.Instant? {
        get { indices[key].map { entries[$0].end } }
        set {
            switch (indices[key], newValue) {
            case (nil, nil): return
            case (nil, let end?):
                indices[key] = entries.count
                entries.append(Entry(key: key, end: end))
                rise(from: entries.count - 1)
            case (let index?, let end?):
                entries[index].end = end
                rise(from: index)
                sink(from: index)
            case (let index?, nil):
                let last = entries.count - 1
                swap(index, last)
                entries.removeLast()
                indices[key] = nil
                guard index < last else { return }
                rise(from: index)
                sink(from: index)
            }
        }
    }

    private mutating func swap(_ first: Int, _ second: Int) {
        guard first != second else { return }
        entries.swapAt(first, second)
        indices[entries[first].key] = first
        indices[entries[second].key] = second
    }

    private mutating func rise(from index: Int) {
        var index = index
        while index > 0, entries[index].end < entries[(index - 1) / 2].end {
            swap(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func sink(from index: Int) {
        var index = index
        while true {
            let children = (2 * index + 1)..<min(2 * index + 3, max(entries.count, 2 * index + 1))
            guard let least = children.min(by: { entries[$0].end < entries[$1].end }),
                entries[least].end < entries[index].end
            else { return }
            swap(index, least)
            index = least
        }
    }
}

enum ExpiryLimits {
    /// The number of expired keys that are removed at once: 64, so that no single caller waits for the removal of all.
    static let batch = 64
}
