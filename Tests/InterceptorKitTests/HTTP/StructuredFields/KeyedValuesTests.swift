import Expectations
import InterceptorKit
import Testing

@Suite("HTTP.StructuredField.KeyedValues")
struct KeyedValuesTests {
    typealias Field = HTTP.StructuredField

    @Test("compares and hashes parameters by keys, values and order")
    func equality() {
        let one: Field.Parameters = ["a": 1, "b": true]
        let others: [Field.Parameters] = [
            ["b": true, "a": 1], ["a": 2, "b": true], ["a": 1], [:],
        ]

        let all = Set(others + [one])

        expectEqual(all.count, 5)
        expectTrue(all.contains(["a": 1, "b": true]))
        expectEqual(Set(others.map(\.hashValue) + [one.hashValue]).count, 5)
    }

    @Test(
        "keeps a repeated key's first place and last value",
        arguments: [2, 40]
    )
    func repeats(count: Int) throws {
        let members = (0..<count).map { "k\($0)=\($0)" } + ["k1=?0"]

        let dictionary = try Field.Dictionary(parsing: members.joined(separator: ","))

        expectEqual(dictionary.keys, (0..<count).map { "k\($0)" })
        expectEqual(dictionary["k1"]?.value, false)
    }

    @Test("removes, changes and adds by key", arguments: [2, 9, 40])
    func changes(count: Int) throws {
        var parameters = Field.Parameters((0..<count).map { ("k\($0)", .integer($0)) })

        parameters["k0"] = nil
        parameters["k1"] = "one"
        parameters["new"] = true

        expectEqual(parameters.keys, (1..<count).map { "k\($0)" } + ["new"])
        expectEqual(parameters["k0"], nil)
        expectEqual(parameters["k1"], "one")
        expectTrue(parameters["k\(count - 1)"] != nil)
        expectEqual(parameters["new"], true)
    }
}
