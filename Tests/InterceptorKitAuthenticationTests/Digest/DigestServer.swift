import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestSupport

@testable import InterceptorKit
@testable import InterceptorKitAuthentication

/// A service that wants Digest and gives out nonces `n1`, `n2`, …, each good for so many uses.
final class DigestServer: Sendable {
    private struct State {
        var nonce = 0
        var uses = 0
        var accepted: [String] = []
    }

    let password: String
    let parameters: String
    let usesPerNonce: Int
    let announcesNext: Bool
    let saysStale: Bool
    private let state = Lock(State())

    init(
        password: String = "secret",
        parameters: String = #"qop="auth", algorithm=SHA-256"#,
        usesPerNonce: Int = .max,
        announcesNext: Bool = false,
        saysStale: Bool = true
    ) {
        self.password = password
        self.parameters = parameters
        self.usesPerNonce = usesPerNonce
        self.announcesNext = announcesNext
        self.saysStale = saysStale
    }

    /// The nonce and count of each accepted request, as in `n1 00000002`.
    var accepted: [String] { state.withLock(\.accepted) }

    func transport() -> ScriptedTransport<HTTP.Request> {
        ScriptedTransport { [self] request, _ in try await authorization(request) }
    }

    private func authorization(_ request: HTTP.Request) async throws -> HTTP.Response {
        guard let value = request.headers["Authorization"] else { return challenge() }
        let given = try HTTP.Challenge.parse([value])[0]
        let nonce = state.withLock { "n\($0.nonce)" }
        guard given["nonce"] == nonce else { return challenge(isStale: true) }
        guard try await response(for: request, given) == given["response"] else {
            return challenge()
        }
        let isUsedUp = state.withLock { state in
            guard state.uses < usesPerNonce else { return true }
            state.uses += 1
            state.accepted.append("\(nonce) \(given["nc"] ?? "-")")
            return false
        }
        if isUsedUp { return challenge(isStale: true) }
        var headers: HTTP.Headers = [:]
        if announcesNext {
            headers["Authentication-Info"] = "nextnonce=\"\(newNonce())\""
        }
        return HTTP.Response(200, headers: headers)
    }

    private func newNonce() -> String {
        state.withLock { state in
            state.nonce += 1
            state.uses = 0
            return "n\(state.nonce)"
        }
    }

    private func challenge(isStale: Bool = false) -> HTTP.Response {
        let stale = isStale && saysStale ? ", stale=true" : ""
        let text = "Digest realm=\"r\", nonce=\"\(newNonce())\", \(parameters)\(stale)"
        return HTTP.Response(401, headers: ["WWW-Authenticate": text], body: "no")
    }

    private func response(
        for request: HTTP.Request,
        _ given: HTTP.Challenge
    ) async throws -> String? {
        let asked = try HTTP.Challenge.parse([
            "Digest realm=\"r\", nonce=\"\(given["nonce"] ?? "")\", \(parameters)"
        ])
        guard let challenge = DigestChallenge(asked[0]) else { return nil }
        var authorization = DigestAuthorization(
            challenge: challenge,
            user: "user",
            password: password,
            method: request.method.rawValue,
            target: request.url.requestTarget,
            count: given["nc"].flatMap { UInt32($0, radix: 16) } ?? 0,
            clientNonce: given["cnonce"] ?? "",
            protection: given["qop"].flatMap(DigestChallenge.Protection.init(rawValue:))
        )
        authorization.bodyHash = try await request.body.hash(by: challenge.hash).hexadecimal
        return authorization.response
    }
}
