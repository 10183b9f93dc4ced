import InterceptorKit

/// Values in the order of their last use; each is found, moved and removed in constant time.
struct RecencyList<Value: Sendable>: Sendable {
    /// The position of a value, valid while the value is in the list.
    typealias Index = Int

    private struct Node {
        var value: Value?
        var newer: Index?
        var older: Index?
    }

    private var nodes: [Node] = []
    private var free: [Index] = []
    private var newest: Index?
    private(set) var oldest: Index?
    private(set) var count = 0

    subscript(index: Index) -> Value? {
        get { nodes[index].value }
        set { nodes[index].value = newValue }
    }

    /// The values, the most recently used first.
    var values: [Value] {
        var values: [Value] = []
        var index = newest
        while let current = index {
            if let value = nodes[current].value { values.append(value) }
            index = nodes[current].older
        }
        return values
    }

    mutating func insert(_ value: Value) -> Index {
        let index: Index
        if let reused = free.popLast() {
            index = reused
            nodes[index].value = value
        } else {
            index = nodes.count
            nodes.append(Node(value: value))
        }
        count += 1
        link(index)
        return index
    }

    mutating func use(_ index: Index) {
        guard index != newest else { return }
        unlink(index)
        link(index)
    }

    mutating func remove(_ index: Index) -> Value? {
        unlink(index)
        free.append(index)
        count -= 1
        return nodes[index].value.take()
    }

    private mutating func link(_ index: Index) {
        nodes[index].newer = nil
        nodes[index].older = newest
        if let newest { nodes[newest].newer = index }
        newest = index
        if oldest == nil { oldest = index }
    }

    private mutating func unlink(_ index: Index) {
        let (newer, older) = (nodes[index].newer, nodes[index].older)
        if let newer { nodes[newer].older = older } else { newest = older }
        if let older { nodes[older].newer = newer } else { oldest = newer }
    }
}
