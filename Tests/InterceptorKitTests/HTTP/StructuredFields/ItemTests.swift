import Expectations
import InterceptorKit
import Testing

@Suite("HTTP.StructuredField.Item and Member")
struct ItemTests {
    typealias Field = HTTP.StructuredField

    @Test("writes the values of its literals")
    func literals() throws {
        let dictionary: Field.Dictionary = [
            "a": 1, "b": 0.5, "c": "text", "d": true, "e": false, "f": [1, "x"],
            "g": Field.Member(.token("gzip"), ["q": 0.25, "only": true]),
        ]

        try expectEqual(
            dictionary.serialized(),
            "a=1, b=0.5, c=\"text\", d, e=?0, f=(1 \"x\"), g=gzip;q=0.25;only"
        )
    }

    @Test("gives a member's value or its items, never both, and its parameters")
    func members() {
        let item = Field.Member(7, ["a": true])
        let list = Field.Member.innerList(Field.InnerList([1, "x"], ["b": 2]))

        expectTrue(item.value == 7 && item.items == nil)
        expectTrue(list.value == nil && list.items == [1, "x"])
        expectEqual(item.parameters, ["a": true])
        expectEqual(list.parameters, ["b": 2])
    }
}
