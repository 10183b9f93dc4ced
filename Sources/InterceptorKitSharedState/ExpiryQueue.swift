import InterceptorKit

/// Keys by the time at which they end: the first is found at once, and each is changed or removed in logarithmic
/// time, so that a store which is full finds that out as fast as it serves.
struct ExpiryQueue<Key: Hashable> {
    private struct Entry {
        let key: Key
        var end: Runtime.Instant
    }

    // A binary heap, and where each key stands in it.
    private var entries: [Entry] = []
    private var places: [Key: Int] = [:]

    var count: Int { entries.count }

    /// The key that ends first, and when.
    var first: (key: Key, end: Runtime.Instant)? { entries.first.map { ($0.key, $0.end) } }

    /// When a key ends; `nil` for one that is not there.
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
    /// How many ended keys are removed when room is needed: 64, so that no one caller waits for all of them.
    static let batch = 64
}
