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

@Suite("SignInterceptor")
struct SignInterceptorTests {
    private let key = SigningKey(id: "app-1", secret: "s3cret".utf8)

    private func sent(
        _ request: HTTP.Request,
        by signer: RequestSigner = .hmacSHA256(keyID: "app-1", secret: "s3cret"),
        replies: [ScriptStep<HTTP.Request>] = [.status(200)],
        configure: @escaping @Sendable (inout Call) -> Void = { _ in }
    ) throws -> [HTTP.Request] {
        try Simulation.run { simulation in
            let transport = ScriptedTransport(replies: replies)
            let client = try simulation.client(transport) {
                RetryInterceptor(policy: .steady)
                SignInterceptor(signer)
            }
            _ = try await client.send(request, configure: configure)
            return transport.sent.map(\.input)
        }
    }

    @Test("signs every attempt again, with its own time and nonce")
    func everyAttempt() throws {
        let late = ScriptStep<HTTP.Request>.status(503).delayed(by: .seconds(360))
        let signed = try sent(.get(orders), replies: [late, .status(200)])

        expectEqual(signed.count, 2)
        expectTrue(HMACScheme().isGenuine(signed[0], with: key, date: Simulation.startDate))
        expectTrue(!HMACScheme().isGenuine(signed[1], with: key, date: Simulation.startDate))
        expectTrue(
            HMACScheme().isGenuine(
                signed[1],
                with: key,
                date: Simulation.startDate.addingTimeInterval(361)
            )
        )
        expectTrue(signed[0].headers["X-Signature"] != signed[1].headers["X-Signature"])
    }

    @Test("refuses an empty secret and an invalid ID when a pipeline is built")
    func invalidKeys() {
        for signer in [
            RequestSigner.hmacSHA256(keyID: "app-1", secret: ""),
            .hmacSHA256(keyID: "app\r\n1", secret: "s"), .hmacSHA256(keyID: "", secret: "s"),
            .hmacSHA256(keyID: "a,b", secret: "s"),
        ] {
            let error = #expect(throws: PipelineError.self) {
                try Pipeline(transport: Discarding()) { SignInterceptor(signer) }
            }
            expectTrue(error?.cause is SigningError)
        }
    }

    @Test("says of an empty secret that it is empty, and not that there is no key")
    func emptySecret() {
        let error = #expect(throws: SigningError.self) {
            try SigningKey(id: "app-1", secret: "".utf8).validate()
        }

        expectEqual(error?.code, .unsuitableKey)
        expectEqual(error?.message.hasPrefix("The secret of the key \"app-1\" is empty."), true)
    }

    @Test("can be turned off for a call, or use another key for it")
    func perCall() throws {
        let keys = FixedSigningKeys([key, SigningKey(id: "app-2", secret: "other".utf8)])
        let signer = RequestSigner(HMACScheme(), keys: keys)

        let bare = try sent(.get(orders), by: signer) { $0.signsRequest = false }
        let other = try sent(.get(orders), by: signer) { $0.signingKeyID = "app-2" }

        expectEqual(bare.first?.headers["X-Signature"], nil)
        #expect(try HMACScheme().keyID(of: #require(other.first)) == "app-2")
    }

    @Test("runs a scheme of the user's own")
    func ownScheme() throws {
        struct Reversed: SignatureScheme {
            let signatureFields = ["X-Reversed"]
            func bodyHash(for request: HTTP.Request) -> HashAlgorithm? { nil }
            func sign(_ request: HTTP.Request, _ context: SigningContext) throws -> HTTP.Request {
                var request = request
                request.headers["X-Reversed"] = String(request.url.path.reversed())
                return request
            }
        }

        let signed = try sent(
            .get(orders),
            by: RequestSigner(Reversed(), keys: FixedSigningKeys([key]))
        )

        expectEqual(signed.first?.headers["X-Reversed"], "sredro/")
    }
}
