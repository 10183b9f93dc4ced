import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestSupport
import Testing

@Suite("PerAuthority")
struct PerAuthorityTests {
    @Test("gives each authority its own state, and the same one each time")
    func oneEach() {
        let table = PerAuthority { State($0) }

        let first = table["https://a.example"]
        let second = table["https://b.example"]

        expectTrue(first !== second)
        expectTrue(table["https://a.example"] === first)
        expectEqual(first.authority, "https://a.example")
    }

    @Test("keeps one state for all inputs without an authority")
    func nowhere() {
        let table = PerAuthority { State($0) }

        expectTrue(table[nil] === table[nil])
        expectTrue(table[nil] !== table[""])
    }

    @Test("evicts the least recently used authority")
    func leastRecentlyUsed() {
        let table = PerAuthority(limit: 3) { State($0) }
        for name in ["a", "b", "c"] { _ = table[name] }
        _ = table["a"]

        _ = table["d"]

        expectEqual(Set(table.authorities), ["a", "c", "d"])
    }

    @Test("keeps states in use, and exceeds the limit while all are in use")
    func held() {
        let table = PerAuthority(limit: 2) { State($0) }
        let held = [table["a"], table["b"], table["c"]]

        expectEqual(Set(table.authorities), ["a", "b", "c"])

        withExtendedLifetime(held) { _ = table["d"] }

        expectEqual(table.authorities.count, 4)
    }

    @Test("returns to the limit when states are released and others come")
    func shrinks() {
        let table = PerAuthority(limit: 2) { State($0) }
        var held = (0..<10).map { table["held \($0)"] }
        expectEqual(table.authorities.count, 10)
        held.removeAll()

        for name in ["a", "b", "c"] { _ = table[name] }

        expectEqual(Set(table.authorities), ["b", "c"])
    }

    @Test("looks up a state without creating it or marking it as used")
    func looking() {
        let table = PerAuthority(limit: 2) { State($0) }
        expectTrue(table.known("a") == nil)
        _ = table["a"]
        _ = table["b"]

        expectTrue(table.known("a") != nil)
        _ = table["c"]

        expectTrue(table.known("a") == nil)
    }

    @Test("keeps at least one state, whatever the limit", arguments: [0, -1, Int.min])
    func oddLimits(limit: Int) {
        let table = PerAuthority(limit: limit) { State($0) }

        expectEqual(table.limit, 1)
        expectTrue(table["a"] === table["a"])
    }

    @Test("keeps 64 of 100,000 authorities, and only their states in memory")
    func bounded() {
        let living = Living()
        let table = PerAuthority { _ in Counted(living) }

        for number in 0..<100_000 { _ = table["https://host\(number).example"] }

        expectEqual(table.authorities.count, 64)
        expectEqual(living.count, 64)
    }

    @Test("gives concurrent first callers of an authority the same state")
    func concurrentFirsts() async {
        let table = PerAuthority(limit: 8) { State($0) }

        let states = await withTaskGroup(of: [State].self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<8).map { table["host \($0)"] } }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }

        expectEqual(Set(states.map(ObjectIdentifier.init)).count, 8)
    }

    @Test("never drops a state that a task holds, while others come and go")
    func concurrentUse() async {
        let table = PerAuthority(limit: 4) { State($0) }

        let isKept = await withTaskGroup(of: Bool.self) { group in
            for task in 0..<4 {
                group.addTask {
                    let own = "own \(task)"
                    let held = table[own]
                    for number in 0..<2000 {
                        _ = table["host \(task) \(number)"]
                        guard table.known(own) === held else { return false }
                    }
                    return withExtendedLifetime(held) { true }
                }
            }
            return await group.allSatisfy { $0 }
        }

        expectTrue(isKept)
    }
}

private final class State: Sendable {
    let authority: String?

    init(_ authority: String?) { self.authority = authority }
}

private final class Living: Sendable {
    private let states = Lock(0)

    var count: Int { states.withLock { $0 } }

    func change(by amount: Int) { states.withLock { $0 += amount } }
}

private final class Counted: Sendable {
    private let living: Living

    init(_ living: Living) {
        self.living = living
        living.change(by: 1)
    }

    deinit { living.change(by: -1) }
}
