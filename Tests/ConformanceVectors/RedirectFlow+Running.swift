import Foundation
package import InterceptorKit
import InterceptorKitTesting

extension RedirectFlow {
    // What is decided otherwise here, and why.
    private static let exclusions = [
        "curl/curl tests/data/test899":
            "credentials in a Location are the server's words and never become the client's"
    ]

    /// Follows flows over a transport, all published ones unless others are given, and prints how many
    /// went as curl's.
    /// - Returns: What differs, one line each.
    package static func differences(
        following flows: [RedirectFlow]? = nil,
        over transport: some Transport<HTTP.Request>,
        named name: String
    ) async throws -> [String] {
        let flows = try flows ?? all()
        var passed = 0
        var failed: [String] = flows.isEmpty ? ["There are no flows."] : []
        for flow in flows where exclusions[flow.origin] == nil {
            let differences = try await flow.differences(over: transport)
            if differences.isEmpty { passed += 1 }
            failed += differences.map { "\(flow): \($0)" }
        }
        let skipped = flows.count { exclusions[$0.origin] != nil }
        print(
            "conformance redirects \(name): \(passed) passed, \(flows.count - passed - skipped) failed, "
                + "\(skipped) skipped"
        )
        return failed
    }

    /// Follows the flow over a transport, with one server that plays all hosts.
    /// - Returns: What differs from what curl sends, one line each.
    func differences(over transport: some Transport<HTTP.Request>) async throws -> [String] {
        let server = try LoopbackServer { [location] request in
            request.number <= location.count
                ? .redirect(to: location[request.number - 1]) : .text("done")
        }
        defer { server.stop() }
        let settings = RedirectFlowSettings(command)
        let pipeline = try pipeline(settings, Rerouted(base: transport, to: server.origin))
        for url in settings.urls {
            _ = try await pipeline.run(.get(url, headers: settings.headers)).text()
        }
        let sent = server.requests
        guard sent.count == requests.count else {
            return ["\(sent.count) requests instead of \(requests.count)"]
        }
        return zip(sent, requests).flatMap { $1.differences(from: $0, settings) }
    }

    private func pipeline(
        _ settings: RedirectFlowSettings,
        _ transport: Rerouted<some Transport<HTTP.Request>>
    ) throws -> Pipeline<HTTP.Request> {
        let home = settings.urls[0]
        let targets = location.compactMap { HTTP.URL(unvalidated: $0).origin }
        let trusted = settings.isTrusting ? targets : []
        var policy = RedirectPolicy()
        policy.trustedOrigins = trusted
        let jar = CookieJar()
        let now = Date(timeIntervalSince1970: 0)
        let cookies = [settings.cookie.flatMap { HTTP.Cookie($0, from: home, at: now) }]
        jar.store(cookies.compactMap(\.self), from: home, at: now)
        let own = [home.origin].compactMap(\.self) + (settings.isFromURL ? [] : trusted)
        return try Pipeline(transport: transport) {
            RedirectInterceptor(policy: policy)
            if let credential = settings.credential, !settings.signsForAWS {
                TokenInterceptor(source: FixedCredentialSource(credential), origins: own)
            }
            CookieInterceptor(store: jar)
            if settings.signs { SignInterceptor(.hmacSHA256(keyID: "k", secret: "s")) }
            if settings.signsForAWS {
                SignInterceptor(
                    RequestSigner(
                        AWSLikeScheme(),
                        keys: FixedSigningKeys([SigningKey(id: "user", secret: "secret".utf8)])
                    ),
                    afterRedirectsTo: trusted
                )
            }
        }
    }
}

extension RedirectFlow.Hop {
    fileprivate func differences(
        from sent: LoopbackServer.Request,
        _ settings: RedirectFlowSettings
    ) -> [String] {
        let words = request_line.split(separator: " ").map(String.init)
        let url = HTTP.URL(unvalidated: words[1])
        let wanted = [
            "method": words[0],
            "target": url.isRelative ? words[1] : url.requestTarget,
            "host": host,
            // A signature in the style of AWS is over keys and times that are not ours.
            "authorization": settings.signsForAWS ? authorization.map(Self.scheme) : authorization,
            "cookie": cookie,
            "signature": "\(signature)",
            "x-amz-date": "\(x_amz_date)",
        ]
        let authorization = sent.headers["Authorization"]
        let found = [
            "method": sent.method.rawValue,
            "target": sent.target,
            "host": sent.headers["X-Played-Host"],
            "authorization": settings.signsForAWS ? authorization.map(Self.scheme) : authorization,
            "cookie": sent.headers["Cookie"],
            "signature": "\(sent.headers.contains("X-Signature"))",
            "x-amz-date": "\(sent.headers.contains("X-Amz-Date"))",
        ]
        return wanted.keys.sorted().filter { wanted[$0] != found[$0] }.map {
            "request \(sent.number): \($0) is \(found[$0].map { $0 ?? "absent" } ?? "absent") and not "
                + "\(wanted[$0].map { $0 ?? "absent" } ?? "absent")"
        }
    }

    private static func scheme(_ authorization: String) -> String {
        String(authorization.prefix { $0 != " " })
    }
}

/// Sends requests for any http host to one server, which is told the host in a field.
private struct Rerouted<Base: Transport<HTTP.Request>>: Transport {
    let base: Base
    let server: HTTP.Origin

    init(base: Base, to server: HTTP.Origin) {
        self.base = base
        self.server = server
    }

    func send(_ request: HTTP.Request, call: Call) async throws -> HTTP.Response {
        var rerouted = request
        rerouted.headers["X-Played-Host"] = request.headers["Host"] ?? request.url.origin?.authority
        rerouted.headers["Host"] = nil
        rerouted.url = HTTP.URL("\(server)\(raw: request.url.requestTarget)")
        var response = try await base.send(rerouted, call: call)
        response.request = request
        return response
    }
}

/// Signs where AWS does: in `Authorization`, beside a date of its own.
private struct AWSLikeScheme: SignatureScheme {
    let signatureFields = ["Authorization", "X-Amz-Date"]

    func bodyHash(for request: HTTP.Request) -> HashAlgorithm? { nil }

    func sign(_ request: HTTP.Request, _ context: SigningContext) throws -> HTTP.Request {
        var signed = request
        signed.headers["X-Amz-Date"] = "\(context.timestamp)"
        signed.headers["Authorization"] = "AWS4-HMAC-SHA256 Credential=\(context.key.id)"
        return signed
    }
}
