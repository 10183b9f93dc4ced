import ConformanceVectors
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitSigning
import TestSupport
import Testing

@Suite("TemplateScheme, presets conformance")
struct TemplateSchemePresetTests {
    @Test("sign like the services' own examples and software, and verify that")
    func examples() throws {
        var conformance = Conformance("sign-schemes")
        for row in SignatureExample.clouds + SignatureExample.oauth + SignatureExample.webhooks {
            let signed = try row.scheme.sign(row.request, row.context)
            let isRight =
                Self.texts(in: signed).contains { $0.hasSuffix(row.signature) }
                && row.scheme.isGenuine(signed, with: row.key, date: row.context.date)
            conformance.note(isRight, "\(row.name): \(signed.url.text) \(Array(signed.headers))")
        }

        print(conformance.summary)
        expectEqual(conformance.failures, [])
        expectEqual(conformance.passed, 20)
    }

    /// Every field's value, and every element of `Authorization`.
    private static func texts(in request: HTTP.Request) -> [String] {
        request.headers.map(\.value)
            + (request.headers["Authorization"] ?? "").split(separator: "\"").map {
                $0.removingPercentEncoding ?? ""
            }
    }
}
