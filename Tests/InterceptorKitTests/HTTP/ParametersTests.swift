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

        #expect(more.map { "\($0.name)=\($0.value)" } == ["a=s3cret", "b=2", "a=3", "c="])
        #expect(more.count == 4)
        #expect(more[1].name == "b")
        #expect(more.last?.value == "")
        #expect(HTTP.Parameters([("a", "s3cret"), ("b", "2"), ("a", "3")]) == parameters)
        #expect(HTTP.Parameters().isEmpty)
    }

    @Test("shows names and no values")
    func redaction() {
        var dumped = ""
        dump(parameters, to: &dumped)

        #expect("\(parameters)" == "a, b, a")
        #expect(dumped.contains("a, b, a"))
        #expect(!dumped.contains("s3cret"))
    }
}
