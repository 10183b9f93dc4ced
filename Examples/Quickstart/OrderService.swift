import InterceptorKit
import InterceptorKitLoopback
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A small shop on loopback: it checks signatures, expires tokens, is busy at times and reports
/// business errors inside a 200.
final class OrderService: Sendable {
    static let secret = "the shop's and the app's secret"

    private struct State {
        var token: String?
        var issued = 0
        var busyPaths: Set<String> = []
    }

    private let state = Mutex(State())
    private let key = SigningKey(id: "app-1", secret: secret.utf8)

    /// How many tokens were issued.
    var tokensIssued: Int { state.withLock(\.issued) }

    /// The token in use is accepted no more.
    func expireToken() { state.withLock { $0.token = nil } }

    func start() throws -> LoopbackServer {
        try LoopbackServer { [self] request in answer(request) }
    }

    private func answer(_ request: LoopbackServer.Request) -> LoopbackServer.Reply {
        guard isSigned(request) else {
            return problem(403, "The signature is missing or wrong.")
        }
        if request.path == "/v1/token" { return .json(["token": issueToken()]) }
        let token = request.headers["Authorization"]
        guard token != nil, token == state.withLock(\.token).map({ "Bearer \($0)" }) else {
            return problem(401, "The token is not valid.")
        }
        if request.path == "/v1/orders/8", isFirstVisit(request.path) {
            return .status(503, headers: ["Retry-After": "1"])
        }
        if request.method == .post {
            return .json(#"{"code": 1001, "message": "out of stock", "data": null}"#)
        }
        let id = request.path.split(separator: "/").last ?? ""
        return .json(#"{"code": 0, "data": {"id": \#(id), "item": "teapot"}}"#)
    }

    // Signed once more, with the time and the nonce of the signature, so that the Quickstart compiles
    // no InterceptorKitSigning. With that, a server has `HMACScheme.verify`: see SignAndVerify.
    private func isSigned(_ received: LoopbackServer.Request) -> Bool {
        guard let host = received.headers["Host"], let signature = received.headers["X-Signature"],
            let parts = signature.firstMatch(of: /created=([0-9]+), nonce="([0-9a-f]+)"/),
            let created = TimeInterval(parts.1),
            abs(Date().timeIntervalSince1970 - created) < 300
        else { return false }
        let freshness = SignatureFreshness(
            date: Date(timeIntervalSince1970: created),
            nonce: String(parts.2)
        )
        let context = SigningContext(
            key: key,
            freshness: freshness,
            bodyHash: HashAlgorithm.sha256.hash(received.body)
        )
        let url = HTTP.URL("http://\(raw: host)\(raw: received.target)")
        let request = HTTP.Request(
            received.method,
            url,
            headers: received.headers,
            body: .bytes(received.body)
        )
        guard let signed = try? HMACScheme().sign(request, context),
            let expected = signed.headers["X-Signature"]
        else { return false }
        return ConstantTime.isEqual(expected.utf8, signature.utf8)
    }

    private func issueToken() -> String {
        state.withLock { state in
            state.issued += 1
            state.token = "token-\(state.issued)"
            return "token-\(state.issued)"
        }
    }

    private func isFirstVisit(_ path: String) -> Bool {
        state.withLock { $0.busyPaths.insert(path).inserted }
    }

    private func problem(_ status: HTTP.Status, _ detail: String) -> LoopbackServer.Reply {
        .status(
            status,
            headers: ["Content-Type": "application/problem+json"],
            body: #"{"title": "\#(status.reasonPhrase ?? "")", "detail": "\#(detail)"}"#
        )
    }
}
