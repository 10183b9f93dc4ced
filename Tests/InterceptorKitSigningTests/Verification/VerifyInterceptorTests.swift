import Expectations
import InterceptorKit
import InterceptorKitAWS
import InterceptorKitConcurrency
import InterceptorKitSigning
import InterceptorKitTesting
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("VerifyInterceptor")
struct VerifyInterceptorTests {
    private static let key = SigningKey(id: "app-1", secret: "s3cret".utf8)
    private static let keys = FixedVerificationKeys([
        VerificationKey(id: "app-1", secret: "s3cret".utf8)
    ])

    /// Schemes with both sides.
    private static let schemes: [(any SignatureScheme, RequestVerification)] = [
        (HMACScheme(), .hmac(HMACScheme(), keys: FixedSigningKeys([key]))),
        (MessageSignatureScheme(), .messageSignature(MessageSignatureVerifier(keys: keys))),
        (TemplateScheme.slack, .template(.slack, keys: FixedSigningKeys([key]))),
        (
            AWSSignatureV4(service: "orders", region: "eu-west-1"),
            .aws(
                AWSSignatureV4Verifier(
                    AWSSignatureV4(service: "orders", region: "eu-west-1"),
                    keys: keys
                )
            )
        ),
    ]

    /// What the server answers, who signed, what the handler reads, and what the log says.
    private struct Finding {
        var response: HTTP.Response
        var keyID: String?
        var content: String?
        var reasons: [String]
    }

    private static func send(
        _ request: HTTP.Request,
        signedBy scheme: any SignatureScheme,
        with key: SigningKey = key,
        to verification: RequestVerification,
        upTo limit: Int = 1 << 20,
        changing change: @escaping @Sendable (inout HTTP.Request) -> Void = { _ in }
    ) async throws -> Finding {
        let handled = Recorder<(String?, String)>()
        let sink = RecordingEventSink()
        let handler = ScriptedTransport<HTTP.Request> { request, call in
            handled.note((call.principal?.id, try await HTTP.Response(body: request.body).text()))
            return HTTP.Response(200)
        }
        let server = try Pipeline(transport: handler, events: sink) {
            VerifyInterceptor(verification, upTo: limit)
        }
        let network = ScriptedTransport<HTTP.Request> { request, _ in
            var received = request
            change(&received)
            if let data = received.body.inMemory, !data.isEmpty {
                received.body = .oneShot(length: data.count, ReceivedOnce(data))
            }
            return try await server.run(received)
        }
        let client = try HTTP.Client(transport: network, timeout: nil) {
            SignInterceptor(RequestSigner(scheme, key: key))
        }
        let response = try await client.send(request)
        let reasons = sink.events.filter { $0.name == .signatureRefused }
        return Finding(
            response: response,
            keyID: handled.entries.first?.0,
            content: handled.entries.first?.1,
            reasons: reasons.compactMap { $0.attributes["reason"]?.description }
        )
    }

    @Test("passes a signed request with its body, and names the signer", arguments: 0..<4)
    func genuine(row: Int) async throws {
        let (scheme, verification) = Self.schemes[row]

        let finding = try await Self.send(
            .post(orders, body: "a dozen eggs"),
            signedBy: scheme,
            to: verification
        )

        expectEqual(finding.response.status, 200)
        expectEqual(finding.keyID, "app-1")
        expectEqual(finding.content, "a dozen eggs")
        expectTrue(finding.reasons.isEmpty)
    }

    @Test("gives a forger no more information than an unsigned request", arguments: 0..<4)
    func refused(row: Int) async throws {
        let (scheme, verification) = Self.schemes[row]
        let changes: [@Sendable (inout HTTP.Request) -> Void] = [
            { $0.headers = ["Content-Type": "text/plain"] }, { $0.body = "a gross of eggs" },
            { $0.url = HTTP.URL(unvalidated: $0.url.text + "?all=1") },
        ]
        var answers: [String] = []
        for change in changes {
            let finding = try await Self.send(
                .post(orders, body: "a dozen eggs"),
                signedBy: scheme,
                to: verification,
                changing: change
            )
            answers.append("\(finding.response.status) \(finding.response.headers)")
            expectTrue(finding.content == nil || (row == 2 && finding.response.status == 200))
        }
        let other = SigningKey(id: "app-2", secret: "s3cret".utf8)
        let finding = try await Self.send(
            .get(orders),
            signedBy: scheme,
            with: other,
            to: verification
        )
        answers.append("\(finding.response.status) \(finding.response.headers)")

        // Slack's signature covers the content alone.
        let refusals = row == 2 ? Array(answers[..<2]) : answers
        expectEqual(Set(refusals).count, 1)
        expectTrue(refusals[0].hasPrefix("401"))
        expectTrue(finding.response.headers["WWW-Authenticate"]?.isEmpty != true)
    }

    @Test("says in Accept-Signature what has to be covered")
    func signatureRequest() async throws {
        let verifier = MessageSignatureVerifier(keys: Self.keys, tag: "orders")
        let server = try Pipeline(transport: ScriptedTransport<HTTP.Request>(replies: [])) {
            VerifyInterceptor(.messageSignature(verifier))
        }

        let response = try await server.run(.get(orders))

        let signatureRequests = try SignatureRequest.parse(response.headers)
        expectEqual(signatureRequests.map(\.label), ["sig"])
        let parameters = try unwrap(signatureRequests.first).parameters
        expectEqual(parameters.components, [.method, .authority, .path, .query, "content-digest"])
        expectEqual(parameters.tag, "orders")
        expectEqual(response.headers["WWW-Authenticate"], "Signature")
    }

    @Test("names its scheme in the challenge of a refusal", arguments: 0..<4)
    func challenge(row: Int) async throws {
        let server = try Pipeline(transport: ScriptedTransport<HTTP.Request>(replies: [])) {
            VerifyInterceptor(Self.schemes[row].1)
        }

        let response = try await server.run(.get(orders))

        let names = ["HMAC-SHA256", "Signature", "Signature", "AWS4-HMAC-SHA256"]
        expectEqual(response.status, 401)
        expectEqual(response.headers["WWW-Authenticate"], names[row])
    }

    @Test("accepts a request only once if nonces are remembered")
    func replayed() async throws {
        let verification = RequestVerification.hmac(
            HMACScheme(),
            keys: FixedSigningKeys([Self.key]),
            nonces: NonceCache()
        )
        let server = try Pipeline(
            transport: ScriptedTransport<HTTP.Request>(replies: [.status(200)])
        ) {
            VerifyInterceptor(verification)
        }
        let network = ScriptedTransport<HTTP.Request> { request, _ in
            let first = try await server.run(request).status
            let second = try await server.run(request).status
            return HTTP.Response(first == 200 && second == 401 ? 204 : 500)
        }
        let client = try HTTP.Client(transport: network, timeout: nil) {
            SignInterceptor(RequestSigner(HMACScheme(), key: Self.key))
        }

        try await expectEqual(client.send(.get(orders)).status, 204)
    }

    @Test(
        "refuses a streamed body with an unsupported or malformed digest",
        arguments: ["md5=:AQI=:", "sha-256=abc", "sha-256=:AQI="]
    )
    func uncheckable(digest: String) async throws {
        let verifier = MessageSignatureVerifier(keys: Self.keys, checksContent: false)

        let finding = try await Self.send(
            .post(orders, headers: ["Content-Digest": digest], body: "a dozen eggs"),
            signedBy: MessageSignatureScheme(),
            to: .messageSignature(verifier)
        )

        expectEqual(finding.response.status, 401)
        expectEqual(finding.reasons, ["content"])
        expectEqual(finding.content, nil)
    }

    @Test("reads no more of the body than its limit", arguments: [(12, 200), (11, 413), (0, 413)])
    func bound(limit: Int, status: Int) async throws {
        let (scheme, verification) = Self.schemes[1]

        let finding = try await Self.send(
            .post(orders, body: "a dozen eggs"),
            signedBy: scheme,
            to: verification,
            upTo: limit
        )

        expectEqual(finding.response.status, HTTP.Status(status))
    }

    @Test("streams a body, and finds a change while reading, if configured")
    func streams() async throws {
        let verifier = MessageSignatureVerifier(keys: Self.keys, checksContent: false)
        let verification = RequestVerification.messageSignature(verifier)

        let genuine = try await Self.send(
            .post(orders, body: "a dozen eggs"),
            signedBy: MessageSignatureScheme(),
            to: verification,
            upTo: 1
        )

        expectEqual(genuine.content, "a dozen eggs")
        await #expect(throws: HTTP.ContentError.self) {
            try await Self.send(
                .post(orders, body: "a dozen eggs"),
                signedBy: MessageSignatureScheme(),
                to: verification,
                changing: { $0.body = "a gross eggs" }
            )
        }
    }

    @Test("refuses what a custom verification refuses, with its challenge")
    func custom() async throws {
        let verification = RequestVerification(challenge: "Stamp") { request, _ in
            guard request.headers["X-Stamp"] == "good" else {
                throw SignatureVerificationError(.mismatch, message: "The stamp is not ours.")
            }
            return .init(keyID: "stamp", content: request.body)
        }

        let stamped = try await Self.send(
            .get(orders),
            signedBy: HMACScheme(),
            to: verification,
            changing: { $0.headers["X-Stamp"] = "good" }
        )
        let refused = try await Self.send(.get(orders), signedBy: HMACScheme(), to: verification)

        expectEqual(stamped.response.status, 200)
        expectEqual(stamped.keyID, "stamp")
        expectEqual(refused.response.status, 401)
        expectEqual(refused.response.headers["WWW-Authenticate"], "Stamp")
        expectEqual(refused.reasons, ["mismatch"])
    }

    @Test("refuses a request whose body turns out to be forged while it is read")
    func pieces() async throws {
        let verification = RequestVerification(challenge: "Pieces") { _, _ in
            .init(keyID: "app-1", content: .oneShot(ForgedPieces()))
        }

        let finding = try await Self.send(
            .post(orders, body: "a dozen eggs"),
            signedBy: HMACScheme(),
            to: verification
        )

        expectEqual(finding.response.status, 401)
        expectEqual(finding.reasons, ["content"])
        expectEqual(finding.content, nil)
    }

    @Test("rethrows an error of the key store")
    func failingStore() async throws {
        let verification = RequestVerification(challenge: "Test") { _, _ in throw StoreFailure() }
        let server = try Pipeline(transport: ScriptedTransport<HTTP.Request>(replies: [])) {
            VerifyInterceptor(verification)
        }

        await #expect(throws: StoreFailure.self) { try await server.run(.get(orders)) }
    }
}

private struct StoreFailure: Error {}

/// Content whose first piece is not signed by the one whose it is said to be.
private final class ForgedPieces: HTTP.BodyStream {
    func next() async throws -> Data? {
        throw SignatureVerificationError(.content, message: "The first piece was changed.")
    }

    func cancel() {}
}

/// Content that can be read once.
private final class ReceivedOnce: HTTP.BodyStream {
    private let rest: Lock<Data?>

    init(_ data: Data) { rest = Lock(data) }

    func next() async throws -> Data? { rest.withLock { $0.take() } }
    func cancel() {}
}
