import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("HTTP.StructuredField")
struct StructuredFieldTests {
    typealias Field = HTTP.StructuredField

    @Test("reads a dictionary's values by key, with their parameters")
    func dictionary() throws {
        let priority = try Field.Dictionary(
            parsing: "u=2, i;why=\"first view\", sizes=(1 2.5);unit=px"
        )

        expectEqual(priority.keys, ["u", "i", "sizes"])
        expectEqual(priority["u"]?.value?.integer, 2)
        expectEqual(priority["i"]?.value?.boolean, true)
        expectEqual(priority["i"]?.parameters["why"]?.string, "first view")
        expectEqual(priority["sizes"]?.items, [1, 2.5])
        expectEqual(priority["sizes"]?.parameters["unit"]?.token, "px")
        expectEqual(priority["none"], nil)
    }

    // Sections 3.1.2 and 3.2 of RFC 9651, and two of httpwg/structured-field-tests for its newer types.
    @Test("reads and writes the examples of RFC 9651")
    func published() throws {
        let texts = try Field.Dictionary(parsing: "en=\"Applepie\", da=:w4ZibGV0w6ZydGU=:")
        let list = try Field.List(parsing: "(\"foo\"; a=1;b=2);lvl=5, (\"bar\" \"baz\");lvl=1")
        let date = try Field.Item(parsing: "@1659578233")
        let shown = try Field.Item(parsing: "%\"f%c3%bc%c3%bc\"")

        expectEqual(texts["en"]?.value?.string, "Applepie")
        expectEqual(texts["da"]?.value?.bytes, Array("\u{C6}blet\u{E6}rte".utf8))
        try expectEqual(texts.serialized(), "en=\"Applepie\", da=:w4ZibGV0w6ZydGU=:")
        try expectEqual(list.serialized(), "(\"foo\";a=1;b=2);lvl=5, (\"bar\" \"baz\");lvl=1")
        expectEqual(date.value.date, 1_659_578_233)
        expectEqual(shown.value.displayString, "f\u{FC}\u{FC}")
    }

    @Test("writes nothing for an empty list or dictionary")
    func emptiness() throws {
        try expectEqual(Field.List(parsing: "  ").serialized(), "")
        try expectEqual(Field.Dictionary(parsing: "").serialized(), "")
    }

    @Test("joins a header's lines to one field")
    func lines() throws {
        var headers: HTTP.Headers = ["Priority": "u=1"]
        headers.append(name: "priority", value: "i")

        try expectEqual(headers.structuredDictionary("Priority"), ["u": 1, "i": true])
        try expectEqual(headers.structuredList("None"), nil)
        try expectEqual(headers.structuredItem("None"), nil)
        #expect(throws: HTTP.FieldError.self) { try headers.structuredItem("Priority") }
    }
}
