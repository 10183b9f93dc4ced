import InterceptorKit
import InterceptorKitSigning
import InterceptorKitTesting
import TestSupport

/// A suite with a server that asks for another signature.
protocol RequestedSigningSuite: Sendable {}

extension RequestedSigningSuite {
    var key: SigningKey { SigningKey(id: "app-1", secret: "s3cret".utf8) }
    var policy: SignatureRequestPolicy {
        SignatureRequestPolicy(origins: ["https://api.example.com"], tags: ["app"])
    }

    /// What a client sends to a server that first answers with a demand.
    func sent(
        _ signatureRequest: String,
        _ policy: SignatureRequestPolicy?,
        status: HTTP.Status = 401,
        request: HTTP.Request = .get(orders),
        answers: Int = 1
    ) throws -> (requests: [HTTP.Request], status: HTTP.Status) {
        try Simulation.run { simulation in
            let refusal = HTTP.Response(status, headers: ["Accept-Signature": signatureRequest])
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
}
