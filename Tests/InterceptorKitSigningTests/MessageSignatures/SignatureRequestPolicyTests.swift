import Expectations
import InterceptorKit
import InterceptorKitSigning
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("SignatureRequestPolicy")
struct SignatureRequestPolicyTests: RequestedSigningSuite {
    @Test(
        "ignores Accept-Signature that is malformed, too wide or of another key",
        arguments: [
            #"asked=("cookie")"#, #"asked=("@method" "x-secret")"#,
            #"asked=("@method");tag="other""#,
            #"asked=("@method");keyid="app-2""#, #"asked=("@method");alg="ed25519""#, "asked=1",
            "=(", #"asked=("@query-param";name="a")"#, #"asked=("date")"#,
        ]
    )
    func refused(_ signatureRequest: String) throws {
        let request = HTTP.Request.get(orders, headers: ["Cookie": "a=b", "X-Secret": "s"])

        let (requests, answer) = try sent(signatureRequest, policy, request: request)

        expectEqual(requests.count, 1)
        expectEqual(answer, 401)
    }

    @Test("fulfils the first requested signature that it can")
    func several() throws {
        let signatureRequest =
            #"a=("cookie"), b=("@method");keyid="app-2", c=("@path"), d=("@method")"#

        let (requests, answer) = try sent(signatureRequest, policy)

        expectEqual(answer, 200)
        expectEqual(
            requests.last?.headers["Signature-Input"]?.hasPrefix(#"c=("@path");created="#),
            true
        )
        expectEqual(requests.last?.headers["Signature-Input"]?.contains("expires"), false)
    }

    @Test("considers eight requested signatures at most")
    func many() throws {
        func signatureRequest(_ others: Int) -> String {
            let refused = (0..<others).map { #"a\#($0)=("cookie")"# }
            return (refused + [#"asked=("@method")"#]).joined(separator: ", ")
        }

        try expectEqual(sent(signatureRequest(7), policy).requests.count, 2)
        try expectEqual(sent(signatureRequest(8), policy).requests.count, 1)
    }

    @Test("signs a response as its request asks, or leaves it unsigned")
    func response() async throws {
        let context = SigningContext(
            key: key,
            freshness: SignatureFreshness(date: Simulation.startDate, nonce: "00")
        )
        var request = HTTP.Request.get(orders)
        let signatureRequest = #"r=("@status" "@method";req);nonce="n""#
        request.headers["Accept-Signature"] = signatureRequest
        let response = HTTP.Response(200)

        let signed = try response.signed(asRequestedBy: request, under: policy, context)

        let verifier = MessageSignatureVerifier(
            keys: FixedVerificationKeys([VerificationKey(id: "app-1", secret: "s3cret".utf8)]),
            requiring: SignatureCoverage([.status, .method.ofRequest]),
            label: "r"
        )
        try await expectTrue(
            verifier.isGenuine(.response(signed, to: request), at: Simulation.startDate)
        )
        request.headers["Accept-Signature"] = #"a=("@status");keyid="app-2", \#(signatureRequest)"#
        let second = try response.signed(asRequestedBy: request, under: policy, context)
        expectEqual(second.headers, signed.headers)
        request.headers["Accept-Signature"] = #"r=("set-cookie")"#
        let same = try response.signed(asRequestedBy: request, under: policy, context)
        expectEqual(same.headers, response.headers)
    }
}
