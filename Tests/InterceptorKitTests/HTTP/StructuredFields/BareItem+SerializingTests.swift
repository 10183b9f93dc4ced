import Expectations
import InterceptorKit
import Testing

@Suite("HTTP.StructuredField.BareItem, written")
struct BareItemSerializingTests {
    typealias Field = HTTP.StructuredField

    @Test("writes every kind of value")
    func kinds() throws {
        let list: Field.List = [
            Field.Member(.bytes([1, 2, 3, 4])), Field.Member(.date(-1)),
            Field.Member(.displayString("Füü \"%")), Field.Member(.string("a\"b\\c")),
            Field.Member(.decimal(Field.Decimal(thousandths: -1005))),
        ]

        let text = try list.serialized()

        expectEqual(text, #":AQIDBA==:, @-1, %"F%c3%bc%c3%bc %22%25", "a\"b\\c", -1.005"#)
        try expectEqual(Field.List(parsing: text), list)
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
        let error = #expect(throws: HTTP.FieldError.self) { try value.serialized() }

        expectEqual(error?.section, section)
        expectEqual(error?.position, nil)
    }
}
