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

@Suite("SignatureDemandPolicy")
struct SignatureDemandPolicyTests {
    private let key = SigningKey(id: "app-1", secret: "s3cret".utf8)
    private let policy = SignatureDemandPolicy(origins: ["https://api.example.com"], tags: ["app"])
    private let verifier = MessageSignatureVerifier(
        keys: FixedVerificationKeys([VerificationKey(id: "app-1", secret: "s3cret".utf8)]),
        requiring: SignatureCoverage([.method, .targetURI]),
        label: "asked"
    )

    /// What a client sends to a server that first answers with a demand.
    private func sent(
        _ demand: String,
        _ policy: SignatureDemandPolicy?,
        status: HTTP.Status = 401,
        request: HTTP.Request = .get(orders),
        answers: Int = 1
    ) throws -> (requests: [HTTP.Request], status: HTTP.Status) {
        try Simulation.run { simulation in
            let refusal = HTTP.Response(status, headers: ["Accept-Signature": demand])
            let transport = ScriptedTransport<HTTP.Request>(
                replies: Array(repeating: .reply(refusal), count: answers) + [.status(200)]
            )
            let scheme = MessageSignatureScheme()
            let signer =
                policy.map { RequestSigner(scheme.fulfilling($0), key: key) }
                ?? RequestSigner(scheme, key: key)
            let client = try simulation.client(transport) { SignInterceptor(signer) }
            let response = try await client.send(request)
            return (transport.sent.map(\.input), response.status)
        }
    }

    @Test("signs a request again as the server's Accept-Signature asks", arguments: [401, 403])
    func fulfilled(_ status: Int) async throws {
        let demand = #"asked=("@method" "@target-uri");created;expires;nonce="n1";tag="app""#

        let (requests, answer) = try sent(demand, policy, status: HTTP.Status(status))

        #expect(answer == 200)
        #expect(requests.count == 2)
        let signed = try #require(requests.last)
        let signature = try await verifier.verify(.request(signed), at: Simulation.startDate)
        #expect(signature.parameters.nonce == "n1")
        #expect(signature.parameters.tag == "app")
        #expect(signature.parameters.components == [.method, .targetURI])
        #expect(signed.headers["Signature-Input"]?.contains("sig=") == false)
    }

    @Test("signs a request again only once, whatever the server responds")
    func once() throws {
        let (requests, answer) = try sent(#"asked=("@method")"#, policy, answers: 5)

        #expect(requests.count == 2)
        #expect(answer == 401)
    }

    @Test(
        "ignores Accept-Signature that is malformed, too wide or of another key",
        arguments: [
            #"asked=("cookie")"#, #"asked=("@method" "x-secret")"#,
            #"asked=("@method");tag="other""#,
            #"asked=("@method");keyid="app-2""#, #"asked=("@method");alg="ed25519""#, "asked=1",
            "=(", #"asked=("@query-param";name="a")"#, #"asked=("date")"#,
        ]
    )
    func refused(_ demand: String) throws {
        let request = HTTP.Request.get(orders, headers: ["Cookie": "a=b", "X-Secret": "s"])

        let (requests, answer) = try sent(demand, policy, request: request)

        #expect(requests.count == 1)
        #expect(answer == 401)
    }

    @Test("fulfils the first requested signature that it can")
    func several() throws {
        let demand = #"a=("cookie"), b=("@method");keyid="app-2", c=("@path"), d=("@method")"#

        let (requests, answer) = try sent(demand, policy)

        #expect(answer == 200)
        #expect(
            requests.last?.headers["Signature-Input"]?.hasPrefix(#"c=("@path");created="#) == true
        )
        #expect(requests.last?.headers["Signature-Input"]?.contains("expires") == false)
    }

    @Test("considers eight requested signatures at most")
    func many() throws {
        func demand(_ others: Int) -> String {
            let refused = (0..<others).map { #"a\#($0)=("cookie")"# }
            return (refused + [#"asked=("@method")"#]).joined(separator: ", ")
        }

        #expect(try sent(demand(7), policy).requests.count == 2)
        #expect(try sent(demand(8), policy).requests.count == 1)
    }

    @Test("doesn't apply to another origin or status, nor to a body already read")
    func bounds() throws {
        let demand = #"asked=("@method")"#
        let other = SignatureDemandPolicy(origins: ["https://other.example"])
        let stream = HTTP.Request(
            .post,
            orders,
            headers: ["Content-Digest": "sha-256=:AA==:"],
            body: .oneShot(AsyncStream<Data> { $0.finish() })
        )

        #expect(try sent(demand, nil).requests.count == 1)
        #expect(try sent(demand, other).requests.count == 1)
        #expect(try sent(demand, policy, status: 400).requests.count == 1)
        #expect(try sent(demand, policy, status: 200).requests.count == 1)
        #expect(try sent(demand, policy, request: stream).requests.count == 1)
    }

    @Test("signs a response as its request asks, or leaves it unsigned")
    func response() async throws {
        let context = SigningContext(
            key: key,
            freshness: SignatureFreshness(date: Simulation.startDate, nonce: "00")
        )
        var request = HTTP.Request.get(orders)
        let demand = #"r=("@status" "@method";req);nonce="n""#
        request.headers["Accept-Signature"] = demand
        let response = HTTP.Response(200)

        let signed = try response.signed(asDemandedBy: request, under: policy, context)

        let verifier = MessageSignatureVerifier(
            keys: FixedVerificationKeys([VerificationKey(id: "app-1", secret: "s3cret".utf8)]),
            requiring: SignatureCoverage([.status, .method.ofRequest]),
            label: "r"
        )
        #expect(
            try await verifier.isGenuine(.response(signed, to: request), at: Simulation.startDate)
        )
        request.headers["Accept-Signature"] = #"a=("@status");keyid="app-2", \#(demand)"#
        let second = try response.signed(asDemandedBy: request, under: policy, context)
        #expect(second.headers == signed.headers)
        request.headers["Accept-Signature"] = #"r=("set-cookie")"#
        let same = try response.signed(asDemandedBy: request, under: policy, context)
        #expect(same.headers == response.headers)
    }
}
