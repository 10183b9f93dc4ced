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
    private var places: [Key: Int] = [:]

    var count: Int { entries.count }

    /// The key that expires first, and its expiry.
    var first: (key: Key, end: Runtime.Instant)? { entries.first.map { ($0.key, $0.end) } }

    /// The expiry of a key; `nil` for an absent key.
    subscript(key: Key) -> Runtime.Instant? {
        get { places[key].map { entries[$0].end } }
        set {
            switch (places[key], newValue) {
            case (nil, nil): return
            case (nil, let end?):
                places[key] = entries.count
                entries.append(Entry(key: key, end: end))
                rise(from: entries.count - 1)
            case (let place?, let end?):
                entries[place].end = end
                rise(from: place)
                sink(from: place)
            case (let place?, nil):
                let last = entries.count - 1
                swap(place, last)
                entries.removeLast()
                places[key] = nil
                guard place < last else { return }
                rise(from: place)
                sink(from: place)
            }
        }
    }

    private mutating func swap(_ first: Int, _ second: Int) {
        guard first != second else { return }
        entries.swapAt(first, second)
        places[entries[first].key] = first
        places[entries[second].key] = second
    }

    private mutating func rise(from place: Int) {
        var place = place
        while place > 0, entries[place].end < entries[(place - 1) / 2].end {
            swap(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func sink(from place: Int) {
        var place = place
        while true {
            let children = (2 * place + 1)..<min(2 * place + 3, max(entries.count, 2 * place + 1))
            guard let least = children.min(by: { entries[$0].end < entries[$1].end }),
                entries[least].end < entries[place].end
            else { return }
            swap(place, least)
            place = least
        }
    }
}

enum ExpiryLimits {
    /// The number of expired keys that are removed at once: 64, so that no single caller waits for the removal of all.
    static let batch = 64
}
