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

    @Test("writes the values of its literals")
    func literals() throws {
        let dictionary: Field.Dictionary = [
            "a": 1, "b": 0.5, "c": "text", "d": true, "e": false, "f": [1, "x"],
            "g": Field.Member(.token("gzip"), ["q": 0.25, "only": true]),
        ]

        #expect(
            try dictionary.serialized()
                == "a=1, b=0.5, c=\"text\", d, e=?0, f=(1 \"x\"), g=gzip;q=0.25;only"
        )
    }

    @Test("gives each item as its own type, and as no other")
    func accessors() {
        typealias Item = Field.BareItem
        let values: [Item] = [
            7, 1.5, "a", .token("a"), .bytes([1]), true, .date(7), .displayString("ä"),
        ]

        #expect(values.map(\.integer) == [7, nil, nil, nil, nil, nil, nil, nil])
        #expect(values.map(\.decimal) == [7.0, 1.5, nil, nil, nil, nil, nil, nil])
        #expect(values.map(\.string) == [nil, nil, "a", nil, nil, nil, nil, nil])
        #expect(values.map(\.token) == [nil, nil, nil, "a", nil, nil, nil, nil])
        #expect(values.map(\.bytes) == [nil, nil, nil, nil, [1], nil, nil, nil])
        #expect(values.map(\.boolean) == [nil, nil, nil, nil, nil, true, nil, nil])
        #expect(values.map(\.date) == [nil, nil, nil, nil, nil, nil, 7, nil])
        #expect(values.map(\.displayString) == [nil, nil, nil, nil, nil, nil, nil, "ä"])
    }

    @Test("orders decimals, converts them, and refuses integers that don't fit")
    func decimals() {
        typealias Decimal = Field.Decimal
        let thousandths = [3, -2, 2500, -2500].map { Decimal(thousandths: $0) }

        #expect(Decimal(-3) == -3.0)
        #expect(Decimal(Int.max / 1000)?.thousandths == Int.max / 1000 * 1000)
        #expect(Decimal(Int.max / 1000 + 1) == nil)
        #expect(Decimal(Int.min) == nil)
        #expect(Field.BareItem.integer(.max).decimal == nil)
        #expect(thousandths.sorted().map(\.thousandths) == [-2500, -2, 3, 2500])
        #expect(thousandths.map(Double.init) == [0.003, -0.002, 2.5, -2.5])
    }

    @Test("compares and hashes parameters by keys, values and order")
    func equality() {
        let one: Field.Parameters = ["a": 1, "b": true]
        let others: [Field.Parameters] = [
            ["b": true, "a": 1], ["a": 2, "b": true], ["a": 1], [:],
        ]

        let all = Set(others + [one])

        #expect(all.count == 5)
        #expect(all.contains(["a": 1, "b": true]))
        #expect(Set(others.map(\.hashValue) + [one.hashValue]).count == 5)
    }

    @Test("writes every kind of value")
    func kinds() throws {
        let list: Field.List = [
            Field.Member(.bytes([1, 2, 3, 4])), Field.Member(.date(-1)),
            Field.Member(.displayString("Füü \"%")), Field.Member(.string("a\"b\\c")),
            Field.Member(.decimal(Field.Decimal(thousandths: -1005))),
        ]

        let text = try list.serialized()

        #expect(
            text == #":AQIDBA==:, @-1, %"F%c3%bc%c3%bc %22%25", "a\"b\\c", -1.005"#
        )
        #expect(try Field.List(parsing: text) == list)
    }

    @Test(
        "keeps a repeated key's first place and last value",
        arguments: [2, 40]
    )
    func repeats(count: Int) throws {
        let members = (0..<count).map { "k\($0)=\($0)" } + ["k1=?0"]

        let dictionary = try Field.Dictionary(parsing: members.joined(separator: ","))

        #expect(dictionary.keys == (0..<count).map { "k\($0)" })
        #expect(dictionary["k1"]?.value == false)
    }

    @Test("removes, changes and adds by key", arguments: [2, 9, 40])
    func changes(count: Int) throws {
        var parameters = Field.Parameters((0..<count).map { ("k\($0)", .integer($0)) })

        parameters["k0"] = nil
        parameters["k1"] = "one"
        parameters["new"] = true

        #expect(parameters.keys == (1..<count).map { "k\($0)" } + ["new"])
        #expect(parameters["k0"] == nil)
        #expect(parameters["k1"] == "one")
        #expect(parameters["k\(count - 1)"] != nil)
        #expect(parameters["new"] == true)
    }

    @Test("writes nothing for an empty list or dictionary")
    func emptiness() throws {
        #expect(try Field.List(parsing: "  ").serialized() == "")
        #expect(try Field.Dictionary(parsing: "").serialized() == "")
    }

    @Test(
        "reports where a text breaks which rule",
        arguments: [
            ("a=1,", 4, HTTP.StructuredFieldError.Code.unexpectedEnd, "4.2.2"),
            ("a=1 b", 4, .unexpectedCharacter, "4.2.2"),
            ("A=1", 0, .unexpectedCharacter, "4.2.3.3"),
            ("a=1.", 2, .invalidNumber, "4.2.4"),
            ("a=-", 3, .unexpectedEnd, "4.2.4"),
            ("a=1234567890123456", 2, .invalidNumber, "4.2.4"),
            ("a=\"b", 4, .unexpectedEnd, "4.2.5"),
            ("a=\"\t\"", 3, .invalidString, "4.2.5"),
            ("a=\"\\n\"", 4, .invalidString, "4.2.5"),
            ("a=:AQ", 5, .unexpectedEnd, "4.2.7"),
            ("a=:A.:", 3, .invalidBytes, "4.2.7"),
            ("a=?2", 3, .unexpectedCharacter, "4.2.8"),
            ("a=@1.5", 3, .invalidDate, "4.2.9"),
            ("a=%\"%ff\"", 2, .invalidDisplayString, "4.2.10"),
            ("a=%\"%C3\"", 5, .invalidDisplayString, "4.2.10"),
            ("a=(1\"x\")", 4, .unexpectedCharacter, "4.2.1.2"),
            ("a=(1", 4, .unexpectedEnd, "4.2.1.2"),
            ("a=é", 2, .unexpectedCharacter, "4.2.3.1"),
        ]
    )
    func refusals(
        text: String,
        position: Int,
        code: HTTP.StructuredFieldError.Code,
        section: String
    ) {
        let error = #expect(throws: HTTP.StructuredFieldError.self) {
            try Field.Dictionary(parsing: text)
        }

        #expect(error?.position == position)
        #expect(error?.code == code)
        #expect(error?.section == section)
    }

    @Test(
        "refuses to write what can't be parsed",
        arguments: [
            (HTTP.StructuredField.BareItem.integer(1_000_000_000_000_000), "4.1.4"),
            (.integer(.min), "4.1.4"),
            (.decimal(HTTP.StructuredField.Decimal(thousandths: .min)), "4.1.5"),
            (1e300, "4.1.5"), (.string("é"), "4.1.6"), (.token("a b"), "4.1.7"),
            (.token(""), "4.1.7"), (.date(.max), "4.1.10"),
        ]
    )
    func unwritable(value: HTTP.StructuredField.BareItem, section: String) {
        let error = #expect(throws: HTTP.StructuredFieldError.self) { try value.serialized() }

        #expect(error?.section == section)
        #expect(error?.position == nil)
    }

    @Test(
        "rounds a decimal to three digits, ties to even",
        arguments: [
            (0.0015, "0.002"), (0.0025, "0.002"), (-0.0015, "-0.002"), (9.9995, "10.0"), (1, "1.0"),
            (0.25, "0.25"), (999_999_999_999.999, "999999999999.999"),
        ]
    )
    func rounding(value: Double, text: String) throws {
        let decimal = try #require(HTTP.StructuredField.Decimal(rounding: value))

        #expect(decimal.description == text)
    }

    @Test(
        "has no decimal for a number that is too large or NaN",
        arguments: [1e12, -1e12, .nan, .infinity]
    )
    func unroundable(value: Double) {
        #expect(HTTP.StructuredField.Decimal(rounding: value) == nil)
    }

    @Test("joins a header's lines to one field")
    func lines() throws {
        var headers: HTTP.Headers = ["Priority": "u=1"]
        headers.append("priority", "i")

        #expect(try headers.structuredDictionary("Priority") == ["u": 1, "i": true])
        #expect(try headers.structuredList("None") == nil)
        #expect(try headers.structuredItem("None") == nil)
        #expect(throws: HTTP.StructuredFieldError.self) { try headers.structuredItem("Priority") }
    }

    @Test("parses 100,000 keys in linear time")
    func manyKeys() throws {
        let text = (0..<100_000).map { "k\($0)" }.joined(separator: ",")

        let dictionary = try Field.Dictionary(parsing: text)

        #expect(dictionary.count == 100_000)
    }
}
