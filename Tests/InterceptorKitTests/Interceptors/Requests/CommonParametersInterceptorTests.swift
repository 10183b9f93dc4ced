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

    @Test("fails the call with the closure's error")
    func failure() throws {
        #expect(throws: Problem()) {
            try shaped(.get(orders)) { CommonParametersInterceptor { _ in throw Problem() } }
        }
    }
}
