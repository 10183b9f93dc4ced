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

@Suite("RequestSigner")
struct RequestSignerSigningTests {
    private let key = SigningKey(id: "app-1", secret: "s3cret".utf8)

    private func sent(
        _ request: HTTP.Request,
        by signer: RequestSigner = .hmacSHA256(keyID: "app-1", secret: "s3cret"),
        configure: @escaping @Sendable (inout Call) -> Void = { _ in }
    ) throws -> [HTTP.Request] {
        try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200)])
            let client = try simulation.client(transport) { SignInterceptor(signer) }
            _ = try await client.send(request, configure: configure)
            return transport.sent.map(\.input)
        }
    }

    @Test("covers the path as it is sent")
    func normalization() throws {
        let signed = try unwrap(sent(.get("https://api.example.com/a//b/./c/../d#part")).first)

        expectEqual(signed.url.text, "https://api.example.com/a//b/./c/../d")
    }

    @Test("hashes a file and a replayable stream, and leaves them readable")
    func streams() throws {
        let body = HTTP.Body.replayable {
            AsyncStream<Data> { continuation in
                continuation.yield(Data("ab".utf8))
                continuation.yield(Data("c".utf8))
                continuation.finish()
            }
        }

        var signed = try unwrap(sent(.put(orders, body: body)).first)
        signed.body = "abc"

        expectTrue(HMACScheme().isGenuine(signed, with: key, date: Simulation.startDate))
    }

    @Test("sends nothing that it can't sign")
    func refusals() throws {
        let oneShot = HTTP.Body.oneShot(AsyncStream<Data> { $0.finish() })
        let empty = RequestSigner(HMACScheme(), keys: FixedSigningKeys([]))

        #expect(throws: SigningError.self) { try sent(.put(orders, body: oneShot)) }
        let missing = #expect(throws: SigningError.self) { try sent(.get(orders), by: empty) }
        expectEqual(missing?.code, .missingKey)
        let unknown = #expect(throws: SigningError.self) {
            try sent(.get(orders)) { $0.signingKeyID = "app-9" }
        }
        expectEqual(unknown?.message.contains(#"There is no signing key with id "app-9""#), true)
    }
}
