import Expectations
import Testing

@testable import InterceptorKit
@testable import InterceptorKitSigning

@Suite("SignatureCoverage")
struct SignatureCoverageTests {
    private let url: HTTP.URL = "https://h.example/"

    @Test("asks for a digest of content, whether or not a message has one")
    func digests() {
        let coverage = SignatureCoverage([.method], ifPresent: ["x-note", "content-digest"])
        let empty = SignableMessage.request(.post(url))
        let full = SignableMessage.request(.post(url, body: "content"))
        let stated = SignableMessage.request(
            .post(url, headers: ["Content-Digest": "", "x-note": ""])
        )

        expectEqual(coverage.components(for: empty), [.method])
        expectEqual(coverage.components(for: full), [.method, "content-digest"])
        expectEqual(coverage.components(for: full, countsContent: false), [.method])
        expectEqual(coverage.components(for: stated), [.method, "x-note", "content-digest"])
    }

    @Test("takes no digest of the request or in trailers for one of its content")
    func otherDigests() {
        let digest: MessageComponent = "content-digest"
        let others = [digest.ofRequest, digest.inTrailers]
        let message = SignableMessage.response(HTTP.Response(200, body: "content"))

        expectEqual(SignatureCoverage([], ifPresent: others).components(for: message), [])
    }

    @Test("is invalid if a component is listed twice, be it only if present")
    func repeats() throws {
        let field: MessageComponent = "x-note"

        try SignatureCoverage([field], ifPresent: [field.bytes]).validate()
        for coverage in [
            SignatureCoverage([field, field]), SignatureCoverage([field], ifPresent: [field]),
            SignatureCoverage([field.key("a").inTrailers, field.inTrailers.key("a")]),
        ] {
            let error = #expect(throws: SigningError.self) { try coverage.validate() }
            expectEqual(error?.code, .invalidComponent)
        }
    }
}
