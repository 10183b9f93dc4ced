import InterceptorKit
import TestSupport
import Testing

@Suite("Event.Attributes")
struct EventAttributesTests {
    @Test("hold none, one and several facts in the order added")
    func order() {
        var facts: Event.Attributes = [:]
        #expect(facts.isEmpty)
        #expect(facts["a"] == nil)

        facts["b"] = .number(1)
        #expect(facts.map(\.key) == ["b"])

        facts["a"] = .flag(true)
        facts["c"] = .text("x")
        #expect(facts.map(\.key) == ["b", "a", "c"])
        #expect(facts["a"] == .flag(true))
        #expect("\(facts)" == "[b: 1, a: true, c: x]")
    }

    @Test("keep one fact a key, the last")
    func replacing() {
        var facts: Event.Attributes = ["a": .number(1), "a": .number(2)]
        #expect(facts == ["a": .number(2)])

        facts["b"] = .number(3)
        facts["a"] = .number(4)
        #expect(facts.map(\.key) == ["a", "b"])
        #expect(facts["a"] == .number(4))
    }

    @Test("lose a fact that is set to nil")
    func removing() {
        var facts: Event.Attributes = ["a": .number(1), "b": .number(2)]

        facts["c"] = nil
        facts["a"] = nil
        #expect(facts == ["b": .number(2)])
        facts["b"] = nil
        #expect(facts == [:])
    }

    @Test("are equal in any order")
    func equality() {
        let facts: Event.Attributes = ["a": .number(1), "b": .number(2)]

        #expect(facts == ["b": .number(2), "a": .number(1)])
        #expect(facts != ["a": .number(1)])
        #expect(facts != ["a": .number(1), "c": .number(2)])
        #expect(facts != ["a": .number(1), "b": .number(3)])
    }

    @Test("make a code's text on demand, equal to the same words")
    func codes() {
        let code = Event.Value.code(404) { "\($0) Not Found" }

        #expect("\(code)" == "404 Not Found")
        #expect(code == .text("404 Not Found"))
        #expect(code != .number(404))
        #expect(Set([code, .text("404 Not Found"), .number(404)]).count == 2)
    }
}
