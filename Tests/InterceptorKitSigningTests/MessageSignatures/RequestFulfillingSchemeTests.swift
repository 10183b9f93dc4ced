import Expectations
import InterceptorKit
import InterceptorKitSigning
import InterceptorKitTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("RequestFulfillingScheme")
struct RequestFulfillingSchemeTests: RequestedSigningSuite {
    private let verifier = MessageSignatureVerifier(
        keys: FixedVerificationKeys([VerificationKey(id: "app-1", secret: "s3cret".utf8)]),
        requiring: SignatureCoverage([.method, .targetURI]),
        label: "asked"
    )

    @Test("signs a request again as the server's Accept-Signature asks", arguments: [401, 403])
    func fulfilled(_ status: Int) async throws {
        let signatureRequest =
            #"asked=("@method" "@target-uri");created;expires;nonce="n1";tag="app""#

        let (requests, answer) = try sent(signatureRequest, policy, status: HTTP.Status(status))

        expectEqual(answer, 200)
        expectEqual(requests.count, 2)
        let signed = try unwrap(requests.last)
        let signature = try await verifier.verify(.request(signed), at: Simulation.startDate)
        expectEqual(signature.parameters.nonce, "n1")
        expectEqual(signature.parameters.tag, "app")
        expectEqual(signature.parameters.components, [.method, .targetURI])
        expectEqual(signed.headers["Signature-Input"]?.contains("sig="), false)
    }

    @Test("signs a request again only once, whatever the server responds")
    func once() throws {
        let (requests, answer) = try sent(#"asked=("@method")"#, policy, answers: 5)

        expectEqual(requests.count, 2)
        expectEqual(answer, 401)
    }

    @Test("doesn't apply to another origin or status, nor to a body already read")
    func bounds() throws {
        let signatureRequest = #"asked=("@method")"#
        let other = SignatureRequestPolicy(origins: ["https://other.example"])
        let stream = HTTP.Request(
            .post,
            orders,
            headers: ["Content-Digest": "sha-256=:AA==:"],
            body: .oneShot(AsyncStream<Data> { $0.finish() })
        )

        try expectEqual(sent(signatureRequest, nil).requests.count, 1)
        try expectEqual(sent(signatureRequest, other).requests.count, 1)
        try expectEqual(sent(signatureRequest, policy, status: 400).requests.count, 1)
        try expectEqual(sent(signatureRequest, policy, status: 200).requests.count, 1)
        try expectEqual(sent(signatureRequest, policy, request: stream).requests.count, 1)
    }
}
