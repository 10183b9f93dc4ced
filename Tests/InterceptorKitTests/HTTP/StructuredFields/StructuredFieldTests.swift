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

        #expect(priority.keys == ["u", "i", "sizes"])
        #expect(priority["u"]?.value?.integer == 2)
        #expect(priority["i"]?.value?.boolean == true)
        #expect(priority["i"]?.parameters["why"]?.string == "first view")
        #expect(priority["sizes"]?.items == [1, 2.5])
        #expect(priority["sizes"]?.parameters["unit"]?.token == "px")
        #expect(priority["none"] == nil)
    }

    // Sections 3.1.2 and 3.2 of RFC 9651, and two of httpwg/structured-field-tests for its newer types.
    @Test("reads and writes the examples of RFC 9651")
    func published() throws {
        let texts = try Field.Dictionary(parsing: "en=\"Applepie\", da=:w4ZibGV0w6ZydGU=:")
        let list = try Field.List(parsing: "(\"foo\"; a=1;b=2);lvl=5, (\"bar\" \"baz\");lvl=1")
        let date = try Field.Item(parsing: "@1659578233")
        let shown = try Field.Item(parsing: "%\"f%c3%bc%c3%bc\"")

        #expect(texts["en"]?.value?.string == "Applepie")
        #expect(texts["da"]?.value?.bytes == Array("\u{C6}blet\u{E6}rte".utf8))
        #expect(try texts.serialized() == "en=\"Applepie\", da=:w4ZibGV0w6ZydGU=:")
        #expect(try list.serialized() == "(\"foo\";a=1;b=2);lvl=5, (\"bar\" \"baz\");lvl=1")
        #expect(date.value.date == 1_659_578_233)
        #expect(shown.value.displayString == "f\u{FC}\u{FC}")
    }

    @Test("writes nothing for an empty list or dictionary")
    func emptiness() throws {
        #expect(try Field.List(parsing: "  ").serialized() == "")
        #expect(try Field.Dictionary(parsing: "").serialized() == "")
    }

    @Test("joins a header's lines to one field")
    func lines() throws {
        var headers: HTTP.Headers = ["Priority": "u=1"]
        headers.append(name: "priority", value: "i")

        #expect(try headers.structuredDictionary("Priority") == ["u": 1, "i": true])
        #expect(try headers.structuredList("None") == nil)
        #expect(try headers.structuredItem("None") == nil)
        #expect(throws: HTTP.StructuredFieldError.self) { try headers.structuredItem("Priority") }
    }
}
