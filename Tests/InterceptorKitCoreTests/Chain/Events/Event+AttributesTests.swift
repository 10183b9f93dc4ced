import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("Event.Attributes")
struct EventAttributesTests {
    @Test("hold none, one and several facts in the order added")
    func order() {
        var facts: Event.Attributes = [:]
        expectTrue(facts.isEmpty)
        expectEqual(facts["a"], nil)

        facts["b"] = .number(1)
        expectEqual(facts.map(\.key), ["b"])

        facts["a"] = .flag(true)
        facts["c"] = .text("x")
        expectEqual(facts.map(\.key), ["b", "a", "c"])
        expectEqual(facts["a"], .flag(true))
        expectEqual("\(facts)", "[b: 1, a: true, c: x]")
    }

    @Test("keep one fact a key, the last")
    func replacing() {
        var facts: Event.Attributes = ["a": .number(1), "a": .number(2)]
        expectEqual(facts, ["a": .number(2)])

        facts["b"] = .number(3)
        facts["a"] = .number(4)
        expectEqual(facts.map(\.key), ["a", "b"])
        expectEqual(facts["a"], .number(4))
    }

    @Test("lose a fact that is set to nil")
    func removing() {
        var facts: Event.Attributes = ["a": .number(1), "b": .number(2)]

        facts["c"] = nil
        facts["a"] = nil
        expectEqual(facts, ["b": .number(2)])
        facts["b"] = nil
        expectEqual(facts, [:])
    }

    @Test("are equal in any order")
    func equality() {
        let facts: Event.Attributes = ["a": .number(1), "b": .number(2)]

        expectEqual(facts, ["b": .number(2), "a": .number(1)])
        expectTrue(facts != ["a": .number(1)])
        expectTrue(facts != ["a": .number(1), "c": .number(2)])
        expectTrue(facts != ["a": .number(1), "b": .number(3)])
    }

    @Test("make a code's text on demand, equal to the same words")
    func codes() {
        let code = Event.Value.code(404) { "\($0) Not Found" }

        expectEqual("\(code)", "404 Not Found")
        expectEqual(code, .text("404 Not Found"))
        expectTrue(code != .number(404))
        expectEqual(Set([code, .text("404 Not Found"), .number(404)]).count, 2)
    }
}
