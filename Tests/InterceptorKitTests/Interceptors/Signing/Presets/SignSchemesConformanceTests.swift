import ConformanceVectors
import Foundation
import InterceptorKit
import Testing

@Suite("Signature schemes conformance", .vectors("sign-schemes"))
struct SignSchemesConformanceTests {
    @Test("gives the texts and signatures of every published example, and verifies them")
    func vectors() throws {
        var conformance = Conformance("sign-schemes")
        for row in try PublishedExample.all() {
            do {
                let setup = try SigningSetup(row)
                let text = try setup.scheme.explain(setup.request, setup.context).stringToSign
                let secret = row["secret"]
                let signed = try setup.scheme.sign(setup.request, setup.context)
                let isRight =
                    text.replacingOccurrences(of: "<secret>", with: secret) == row.stringToSign
                    && Self.texts(in: signed).contains { $0.hasSuffix(row.expected) }
                    && setup.scheme.verify(signed, with: setup.key, date: setup.date)
                conformance.note(
                    isRight,
                    "\(row.id): \(text) \(signed.url.text) \(Array(signed.headers))"
                )
            } catch {
                conformance.note(false, "\(row.id): \(error)")
            }
        }

        print(conformance.summary)
        #expect(conformance.failures == [])
        #expect(conformance.passed == 26)
    }

    /// Every value of a field, an element of one, a parameter and a form.
    static func texts(in request: HTTP.Request) -> [String] {
        let content = String(decoding: request.body.inMemory ?? Data(), as: UTF8.self)
        let elements = (request.headers["Authorization"] ?? "").split(separator: "\"")
            .map { $0.removingPercentEncoding ?? "" }
        return request.headers.map(\.value) + elements
            + request.url.queryParameters.map(\.value)
            + content.split(separator: "&").map {
                String($0.drop { $0 != "=" }.dropFirst()).removingPercentEncoding ?? ""
            }
    }
}
