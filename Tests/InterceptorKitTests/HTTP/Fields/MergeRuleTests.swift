import Expectations
import Testing

@testable import InterceptorKit

@Suite("HTTP.MergeRule")
struct MergeRuleTests {
    @Test(
        "keeps, replaces or adds to fields of a name, in any case",
        arguments: [
            (HTTP.MergeRule.keepExisting, ["A=1", "B=2", "C=5", "c=6"]),
            (.replaceExisting, ["B=2", "a=3", "a=4", "C=5", "c=6"]),
            (.addToExisting, ["A=1", "B=2", "a=3", "a=4", "C=5", "c=6"]),
        ]
    )
    func fields(rule: HTTP.MergeRule, expected: [String]) {
        var headers: HTTP.Headers = ["A": "1", "B": "2"]

        headers.merge(["a": "3", "a": "4", "C": "5", "c": "6"], rule)

        expectEqual(headers.map { "\($0.name)=\($0.value)" }, expected)
    }

    @Test(
        "keeps, replaces or adds to parameters by their decoded names",
        arguments: [
            (HTTP.MergeRule.keepExisting, "%61=1&x=%20&b=4"),
            (.replaceExisting, "x=%20&a=2&a=3&b=4"),
            (.addToExisting, "%61=1&x=%20&a=2&a=3&b=4"),
        ]
    )
    func parameters(rule: HTTP.MergeRule, query: String) {
        let url: HTTP.URL = "https://h.example/p?%61=1&x=%20#f"

        let merged = url.merging(query: ["a": "2", "a": "3", "b": "4"], rule)

        expectEqual(merged.text, "https://h.example/p?\(query)#f")
    }
}
