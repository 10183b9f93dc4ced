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

@Suite("HMACScheme")
struct HMACSchemeTests {
    private let key = SigningKey(id: "app-1", secret: "s3cret".utf8)

    private func sent(
        _ request: HTTP.Request,
        by signer: RequestSigner = .hmacSHA256(keyID: "app-1", secret: "s3cret")
    ) throws -> [HTTP.Request] {
        try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200)])
            let client = try simulation.client(transport) { SignInterceptor(signer) }
            _ = try await client.send(request)
            return transport.sent.map(\.input)
        }
    }

    @Test("adds a field that the server can verify from the request alone")
    func field() throws {
        let request = HTTP.Request.post(
            "https://api.example.com/orders?b=2&a=1",
            headers: ["Content-Type": "application/json"],
            body: #"{"id":7}"#
        )

        let signed = try unwrap(sent(request).first)

        let text = try unwrap(signed.headers["X-Signature"])
        expectTrue(text.hasPrefix(#"keyid="app-1", created=1767225600, nonce=""#))
        expectEqual(HMACScheme().keyID(of: signed), "app-1")
        expectEqual(HMACScheme().nonce(of: signed)?.count, 32)
        expectTrue(HMACScheme().isGenuine(signed, with: key, date: Simulation.startDate))
    }

    @Test("adds parameters that the server can verify from the request alone")
    func parameters() throws {
        let signer = RequestSigner.hmacSHA256(keyID: "app-1", secret: "s3cret", in: .parameters)

        let signed = try unwrap(sent(.get("https://api.example.com/a?z=%20&b=1"), by: signer).first)

        expectEqual(
            signed.url.queryParameters.map(\.name),
            [
                "z", "b", "keyid", "timestamp", "nonce", "sign",
            ]
        )
        expectTrue(HMACScheme(.parameters).isGenuine(signed, with: key, date: Simulation.startDate))
    }

    @Test("fails verification when anything covered is changed")
    func tampering() throws {
        let request = HTTP.Request.post(
            "https://api.example.com/orders?a=1",
            headers: ["Content-Type": "application/json", "Authorization": "Bearer t"],
            body: "{}"
        )
        let scheme = HMACScheme()
        let signed = try unwrap(sent(request).first)
        let changes: [@Sendable (inout HTTP.Request) -> Void] = [
            { $0.method = .put },
            { $0.url = "https://api.example.com/orders?a=2" },
            { $0.url = "https://api.example.com/order?a=1" },
            { $0.url = "https://evil.example/orders?a=1" },
            { $0.body = "{ }" },
            { $0.headers["Content-Type"] = "text/plain" },
            { $0.headers["Authorization"] = "Bearer u" },
            { $0.headers["Authorization"] = nil },
            { request in
                let text = request.headers["X-Signature"] ?? ""
                request.headers["X-Signature"] = text.replacing("created=17", with: "created=16")
            },
            { $0.headers["X-Signature"] = nil },
            { $0.headers["X-Signature"] = "keyid=\"app-1\"" },
        ]

        expectTrue(scheme.isGenuine(signed, with: key, date: Simulation.startDate))
        for change in changes {
            var changed = signed
            change(&changed)
            expectTrue(!scheme.isGenuine(changed, with: key, date: Simulation.startDate))
        }
    }

    @Test("fails verification with another key, and outside the allowed time")
    func keyAndTime() throws {
        let scheme = HMACScheme()
        let signed = try unwrap(sent(.get(orders)).first)
        let date = Simulation.startDate
        let others = [
            SigningKey(id: "app-1", secret: "other".utf8),
            SigningKey(id: "app-2", secret: "s3cret".utf8),
        ]

        for other in others { expectTrue(!scheme.isGenuine(signed, with: other, date: date)) }
        expectTrue(scheme.isGenuine(signed, with: key, date: date.addingTimeInterval(300)))
        expectTrue(!scheme.isGenuine(signed, with: key, date: date.addingTimeInterval(301)))
        expectTrue(!scheme.isGenuine(signed, with: key, date: date.addingTimeInterval(-301)))
    }

    @Test("leaves a body unsigned only if told to")
    func unsignedBody() throws {
        let scheme = HMACScheme(coversBody: false)
        let signer = RequestSigner(scheme, keys: FixedSigningKeys([key]))
        let body = HTTP.Body.oneShot(AsyncStream<Data> { $0.finish() })

        var signed = try unwrap(sent(.put(orders, body: body), by: signer).first)
        signed.body = "anything"

        expectTrue(scheme.isGenuine(signed, with: key, date: Simulation.startDate))
        expectTrue(!HMACScheme().isGenuine(signed, with: key, date: Simulation.startDate))
    }
}
