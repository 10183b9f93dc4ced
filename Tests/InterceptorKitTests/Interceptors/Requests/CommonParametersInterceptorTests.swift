import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("CommonParametersInterceptor", .processorBound)
struct CommonParametersInterceptorTests {
    @Test(
        "appends parameters in order, encoded, and keeps the rest byte for byte",
        arguments: [
            ("https://a.example/o", "https://a.example/o?b=2&a=%C3%A4%20%2B%26%3D%2F"),
            ("https://a.example/o?", "https://a.example/o?b=2&a=%C3%A4%20%2B%26%3D%2F"),
            (
                "https://a.example/o?x=%2f+&&y#p",
                "https://a.example/o?x=%2f+&&y&b=2&a=%C3%A4%20%2B%26%3D%2F#p"
            ),
        ]
    )
    func adding(url: String, expected: String) throws {
        let request = try shaped(.get(HTTP.URL(unvalidated: url))) {
            CommonParametersInterceptor { _ in ["b": "2", "a": "ä +&=/"] }
        }

        expectEqual(request.url.text, expected)
    }

    @Test(
        "merges with existing parameters by its rule",
        arguments: [
            (HTTP.MergeRule.keepExisting, "?x=0&%61=own&a&y=1&b=2"),
            (.replaceExisting, "?x=0&y=1&a=new&a=2nd&b=2"),
            (.addToExisting, "?x=0&%61=own&a&y=1&a=new&a=2nd&b=2"),
        ]
    )
    func rules(rule: HTTP.MergeRule, expected: String) throws {
        let request = try shaped(.get("https://a.example/?x=0&%61=own&a&y=1")) {
            CommonParametersInterceptor(merging: rule) { _ in ["a": "new", "a": "2nd", "b": "2"] }
        }

        expectEqual(request.url.text, "https://a.example/" + expected)
    }

    @Test("replaces the only parameter")
    func replacingAll() throws {
        let request = try shaped(.get("https://a.example/o?a=1#p")) {
            CommonParametersInterceptor(merging: .replaceExisting) { _ in ["a": "2"] }
        }

        expectEqual(request.url.text, "https://a.example/o?a=2#p")
    }

    @Test("appends a parameter to replace if there is none of its name")
    func replacingNone() throws {
        let request = try shaped(.get("https://a.example/o?b=%31&&c")) {
            CommonParametersInterceptor(merging: .replaceExisting) { _ in ["a": "2"] }
        }

        expectEqual(request.url.text, "https://a.example/o?b=%31&&c&a=2")
    }

    @Test("keeps what it doesn't replace byte for byte")
    func replacingOne() throws {
        let request = try shaped(.get("https://a.example/o?x=0&&%61=1&")) {
            CommonParametersInterceptor(merging: .replaceExisting) { _ in ["a": "2"] }
        }

        expectEqual(request.url.text, "https://a.example/o?x=0&&&a=2")
    }

    @Test(
        "refuses invalid origins, or an empty list, when a pipeline is built",
        arguments: [[], ["https://a.example/v1"]] as [[HTTP.Origin]]
    )
    func invalidOrigins(origins: [HTTP.Origin]) {
        #expect(throws: PipelineError.self) {
            try Pipeline(transport: Discarding()) {
                CommonParametersInterceptor(origins: origins) { _ in [:] }
            }
        }
    }

    @Test("takes the time from the call's runtime, the same for every attempt")
    func timeAndSignature() throws {
        let urls = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [.status(503), .status(200)])
            let client = try simulation.client(transport) {
                BaseURLInterceptor("https://api.example.com")
                CommonParametersInterceptor(origins: ["https://api.example.com"]) { call in
                    ["ts": "\(Int(call.runtime.date.timeIntervalSince1970))"]
                }
                RetryInterceptor(policy: .steady)
            }
            let start = Int(simulation.runtime.date.timeIntervalSince1970)
            _ = try await client.send(.get("/orders"))
            return (start, transport.sent.map(\.input.url.text))
        }

        let expected = "https://api.example.com/orders?ts=\(urls.0)"
        expectEqual(urls.1, [expected, expected])
    }

    @Test("adds to the listed origins only, and not to calls that opt out")
    func scope() throws {
        let interceptor = CommonParametersInterceptor(origins: ["https://api.example.com"]) { _ in
            ["device": "d1"]
        }

        let there = try shaped(.get("https://b.example/x?y")) { interceptor }
        let off = try shaped(.get(orders), configure: { $0.addsCommonParameters = false }) {
            interceptor
        }

        expectEqual(there.url.text, "https://b.example/x?y")
        expectEqual(off.url.text, orders.text)
    }

    @Test("encodes names and values of any size and character")
    func oddValues() throws {
        let long = String(repeating: "ü\r\n\0", count: 100_000)

        let request = try shaped(.get(orders)) {
            CommonParametersInterceptor { _ in ["": "", "a&b=c": long] }
        }

        let parameters = request.url.queryParameters
        expectEqual(parameters.map(\.name), ["", "a&b=c"])
        expectEqual(parameters.map(\.value), ["", long])
    }

    @Test("fails the call with the closure's error")
    func failure() throws {
        #expect(throws: Problem()) {
            try shaped(.get(orders)) { CommonParametersInterceptor { _ in throw Problem() } }
        }
    }
}
