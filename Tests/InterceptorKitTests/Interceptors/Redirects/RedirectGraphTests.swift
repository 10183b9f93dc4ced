import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Random webs of redirects with a secret planted for each origin, and all that adds secrets in place.
@Suite("RedirectInterceptor, random redirects")
struct RedirectGraphTests {
    private static let origins = [
        "https://a.example", "https://b.example", "https://c.example", "https://a.example:8443",
        "http://a.example", "https://www.a.example", "http://b.example", "https://127.0.0.1",
    ]
    private static let hosts = origins.map { HTTP.URL(unvalidated: $0).host ?? "" }
    private static let names = [
        "Authorization", "Cookie", "Proxy-Authorization", "X-API-Key", "X-Session", "Signature",
        "DPoP",
        "X-Auth-Token", "Referer", "Api-Key",
    ]

    private struct Findings {
        var hops = 0
        var changes = 0
        var ownSecrets = 0
        var tokens = 0
        var cookies = 0
        var signatures = 0
        var leaks: [String] = []
    }

    @Test("never send a secret of one origin to another")
    func noLeaks() async throws {
        let graphs: UInt64 = cases(200, of: 1000)
        let all = try await besideOtherTests {
            var all = Findings()
            for seed in 0..<graphs {
                let sent = try Simulation.run(seed: seed) { simulation in
                    try await Self.walk(seed, simulation.runtime)
                }
                Self.note(sent, seed, &all)
            }
            return all
        }

        expectEqual(all.leaks, [])
        // Secrets did travel where they belong, so that their absence elsewhere means something.
        expectTrue(all.hops > 2 * graphs)
        expectTrue(all.changes > graphs)
        expectTrue(all.ownSecrets > 3 * graphs / 10)
        expectTrue(all.tokens > 3 * graphs / 10)
        expectTrue(all.cookies > 3 * graphs / 10)
        expectTrue(all.signatures > 3 * graphs / 10)
    }

    private static func walk(
        _ seed: UInt64,
        _ runtime: Runtime
    ) async throws -> [ScriptedTransport<HTTP.Request>.Sent] {
        var random = SeededGenerator(seed: seed)
        let home = Int.random(in: origins.indices, using: &random)
        let granted = Int.random(in: origins.indices, using: &random)
        let answers = web(&random)
        let transport = ScriptedTransport<HTTP.Request> { request, _ in
            answers[request.url.text] ?? HTTP.Response(200)
        }
        var policy = RedirectPolicy()
        policy.allowsDowngrade = Bool.random(using: &random)
        policy.allowsRepeats = Bool.random(using: &random)
        policy.limit = 12
        let pipeline = try Pipeline(transport: transport, runtime: runtime) {
            RedirectInterceptor(policy: policy)
            TokenInterceptor(
                source: FixedCredentialSource(.header("X-Token", "token-\(granted)-")),
                origins: [HTTP.Origin(origins[granted])]
            )
            CookieInterceptor()
            SignInterceptor(.hmacSHA256(keyID: "signer", secret: "s"))
        }
        let methods: [HTTP.Method] = [.get, .post, .put, .head]
        var request = HTTP.Request(
            methods.randomElement(using: &random) ?? .get,
            HTTP.URL(
                unvalidated: origins[home]
                    + "/\(Int.random(in: 0..<4, using: &random))?own-\(home)-"
            )
        )
        for name in names where Bool.random(using: &random) {
            request.headers[name] = "n=own-\(home)-"
        }
        if Bool.random(using: &random) { request.body = .text("own-\(home)-") }

        _ = try? await pipeline.run(request)

        return transport.sent
    }

    // Four pages an origin, most of which redirect and set a cookie.
    private static func web(_ random: inout SeededGenerator) -> [String: HTTP.Response] {
        var answers: [String: HTTP.Response] = [:]
        for (index, origin) in origins.enumerated() {
            for page in 0..<4 {
                guard Int.random(in: 0..<8, using: &random) > 0 else { continue }
                let target = Int.random(in: 0..<4, using: &random)
                let isNear = Bool.random(using: &random)
                let next = isNear ? index : Int.random(in: origins.indices, using: &random)
                let userInfo = Bool.random(using: &random) ? "user:info-x-@" : ""
                let location =
                    isNear && Bool.random(using: &random)
                    ? "/\(target)"
                    : origins[next].replacingScheme(userInfo) + "/\(target)"
                let status = [301, 302, 303, 307, 308].randomElement(using: &random) ?? 302
                var response = HTTP.Response.redirect(HTTP.Status(status), to: location)
                let host = hosts[index]
                let cookie = ["a", "b"].randomElement(using: &random) ?? "a"
                if Bool.random(using: &random) {
                    response.headers.append(
                        name: "Set-Cookie",
                        value: "\(cookie)=cookie-\(host)-; Path=/"
                    )
                }
                answers["\(origin)/\(page)"] = response
                answers["\(origin)/\(page)?own-\(index)-"] = response
            }
        }
        return answers
    }

    private static func note(
        _ sent: [ScriptedTransport<HTTP.Request>.Sent],
        _ seed: UInt64,
        _ findings: inout Findings
    ) {
        findings.hops += sent.count - 1
        for entry in sent {
            let request = entry.input
            let origin = request.url.origin?.description ?? ""
            let host = request.url.host ?? ""
            var text = request.url.text + "\n"
            for field in request.headers { text += "\(field.name): \(field.value)\n" }
            text += String(decoding: request.body.inMemory ?? Data(), as: UTF8.self)
            for (index, other) in origins.enumerated() {
                for kind in ["own", "token"] where text.contains("\(kind)-\(index)-") {
                    guard other != origin else {
                        if kind == "own" { findings.ownSecrets += 1 } else { findings.tokens += 1 }
                        continue
                    }
                    findings.leaks.append("seed \(seed): \(kind) of \(other) to \(origin)")
                }
                // Cookies belong to hosts and not to origins (RFC 6265 section 8.5).
                let otherHost = hosts[index]
                guard text.contains("cookie-\(otherHost)-") else { continue }
                if otherHost == host {
                    findings.cookies += 1
                } else {
                    findings.leaks.append("seed \(seed): cookie of \(otherHost) to \(host)")
                }
            }
            if text.contains("info-x-") { findings.leaks.append("seed \(seed): user information") }
            let hasLeft = entry.call.redirects.contains { $0.changesOrigin }
            findings.changes += hasLeft ? 1 : 0
            guard request.headers.contains("X-Signature") else { continue }
            findings.signatures += 1
            if hasLeft { findings.leaks.append("seed \(seed): signature to \(origin)") }
        }
    }
}

extension String {
    // Puts user information behind the scheme.
    fileprivate func replacingScheme(_ userInfo: String) -> String {
        guard let slashes = firstRange(of: "://") else { return self }
        return self[..<slashes.upperBound] + userInfo + self[slashes.upperBound...]
    }
}
