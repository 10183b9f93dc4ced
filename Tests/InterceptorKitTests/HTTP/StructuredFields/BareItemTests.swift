import Expectations
import InterceptorKit
import Testing

@Suite("HTTP.StructuredField.BareItem")
struct BareItemTests {
    typealias Field = HTTP.StructuredField

    @Test("gives each item as its own type, and as no other")
    func accessors() {
        typealias Item = Field.BareItem
        let values: [Item] = [
            7, 1.5, "a", .token("a"), .bytes([1]), true, .date(7), .displayString("ä"),
        ]

        expectEqual(values.map(\.integer), [7, nil, nil, nil, nil, nil, nil, nil])
        expectEqual(values.map(\.decimal), [7.0, 1.5, nil, nil, nil, nil, nil, nil])
        expectEqual(values.map(\.string), [nil, nil, "a", nil, nil, nil, nil, nil])
        expectEqual(values.map(\.token), [nil, nil, nil, "a", nil, nil, nil, nil])
        expectEqual(values.map(\.bytes), [nil, nil, nil, nil, [1], nil, nil, nil])
        expectEqual(values.map(\.boolean), [nil, nil, nil, nil, nil, true, nil, nil])
        expectEqual(values.map(\.date), [nil, nil, nil, nil, nil, nil, 7, nil])
        expectEqual(values.map(\.displayString), [nil, nil, nil, nil, nil, nil, nil, "ä"])
    }
}
