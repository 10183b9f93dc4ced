import InterceptorKit

/// Values in the order of their last use; each is found, moved and removed in constant time.
struct RecencyList<Value: Sendable>: Sendable {
    /// The position of a value, valid while the value is in the list.
    typealias Place = Int

    private struct Node {
        var value: Value?
        var newer: Place?
        var older: Place?
    }

    private var nodes: [Node] = []
    private var free: [Place] = []
    private var newest: Place?
    private(set) var oldest: Place?
    private(set) var count = 0

    subscript(place: Place) -> Value? {
        get { nodes[place].value }
        set { nodes[place].value = newValue }
    }

    /// The values, the most recently used first.
    var values: [Value] {
        var values: [Value] = []
        var place = newest
        while let current = place {
            if let value = nodes[current].value { values.append(value) }
            place = nodes[current].older
        }
        return values
    }

    mutating func insert(_ value: Value) -> Place {
        let place: Place
        if let reused = free.popLast() {
            place = reused
            nodes[place].value = value
        } else {
            place = nodes.count
            nodes.append(Node(value: value))
        }
        count += 1
        link(place)
        return place
    }

    mutating func use(_ place: Place) {
        guard place != newest else { return }
        unlink(place)
        link(place)
    }

    mutating func remove(_ place: Place) -> Value? {
        unlink(place)
        free.append(place)
        count -= 1
        return nodes[place].value.take()
    }

    private mutating func link(_ place: Place) {
        nodes[place].newer = nil
        nodes[place].older = newest
        if let newest { nodes[newest].newer = place }
        newest = place
        if oldest == nil { oldest = place }
    }

    private mutating func unlink(_ place: Place) {
        let (newer, older) = (nodes[place].newer, nodes[place].older)
        if let newer { nodes[newer].older = older } else { newest = older }
        if let older { nodes[older].newer = newer } else { oldest = newer }
    }
}
