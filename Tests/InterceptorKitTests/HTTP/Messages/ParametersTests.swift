import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("HTTP.Parameters")
struct ParametersTests {
    private let parameters: HTTP.Parameters = ["a": "s3cret", "b": "2", "a": "3"]

    @Test("keeps names and values in order when iterated, duplicates too")
    func collection() {
        var more = parameters
        more.append(name: "c", value: "")

        expectEqual(more.map { "\($0.name)=\($0.value)" }, ["a=s3cret", "b=2", "a=3", "c="])
        expectEqual(more.count, 4)
        expectEqual(more[1].name, "b")
        expectEqual(more.last?.value, "")
        expectEqual(HTTP.Parameters([("a", "s3cret"), ("b", "2"), ("a", "3")]), parameters)
        expectTrue(HTTP.Parameters().isEmpty)
    }

    @Test("shows names and no values")
    func redaction() {
        var dumped = ""
        dump(parameters, to: &dumped)

        expectEqual("\(parameters)", "a, b, a")
        expectTrue(dumped.contains("a, b, a"))
        expectTrue(!dumped.contains("s3cret"))
    }
}
