package import InterceptorKit
package import InterceptorKitTesting

extension TransportConformance.Requirement {
    // The signed target must arrive. A transport that cannot send a target unchanged refuses it.
    static let signedTargets: [Self] = [
        Self("sends the target that a signature covers") { context in
            let key = SigningKey(id: "key", secret: Array("secret".utf8))
            try await context.eachTarget { _ in
                SignInterceptor(RequestSigner(TargetScheme(), key: key))
            } expecting: { request in
                let authority = (request.headers["Host"] ?? "").lowercased()
                try expect(
                    request.headers[TargetScheme.field],
                    is: "\(authority) \(request.target)",
                    "What is signed"
                )
            }
        }
    ]
}

/// Writes the text that a signature would cover into a field.
private struct TargetScheme: SignatureScheme {
    static let field = "X-Signed-Target"

    var signatureFields: [String] { [Self.field] }

    func bodyHash(for request: HTTP.Request) -> HashAlgorithm? { nil }

    func coveredFields(of request: HTTP.Request) -> [String] { [] }

    func sign(_ request: HTTP.Request, _ context: SigningContext) throws -> HTTP.Request {
        let target = try CanonicalTarget(request.url)
        var text = CanonicalWriter()
        text.append("\(target.authority) ")
        if target.path.isEmpty { text.append("/") }
        text.append(contentsOf: target.path)
        if target.hasQuery { text.append("?") }
        text.append(contentsOf: target.query)
        var signed = request
        signed.headers[Self.field] = text.string
        return signed
    }
}

extension ConformanceContext {
    /// The text after the host, in every form that an engine might rewrite.
    private static let targets = [
        "", "?", "/?", "/a?", "/a?#f", "?b", "/a/../z", "/a/./b/..", "/../..", "/a/%2e%2E/z",
        "//", "/a//b", "/%7E%c3%A9", "/a;b=c,d", "/a?b=../c&&d=%2e", "/a#../f",
    ]

    /// Sends a request for each target and checks how it arrives; a target that is refused before anything is sent
    /// needs no check.
    package nonisolated(nonsending) func eachTarget(
        _ interceptor: (HTTP.Origin) -> any Interceptor<HTTP.Request>,
        expecting: (LoopbackServer.Request) async throws -> Void
    ) async throws {
        let server = try server { request in
            request.headers.contains("Authorization")
                ? .status(200)
                : .status(401, headers: ["WWW-Authenticate": #"Digest realm="r", nonce="n""#])
        }
        for host in ["127.0.0.1", "LOCALHOST"] {
            let origin = HTTP.Origin(scheme: "http", host: host, port: server.port)
            let pipeline = try Pipeline(transport: transport) { interceptor(origin) }
            for target in Self.targets {
                let before = server.requests.count
                let url = HTTP.URL("HTTP://\(raw: host):\(server.port)\(raw: target)")
                do {
                    let response = try await pipeline.run(.get(url), call: Call())
                    _ = try await response.body.collect(upTo: 1024)
                } catch is HTTP.RequestError {
                    try expect(server.requests.count == before, "\(target) was sent and refused.")
                    continue
                }
                guard let request = server.requests.last, server.requests.count > before else {
                    throw ExpectationFailure("Nothing arrived for \(target).")
                }
                try await expecting(request)
            }
        }
    }
}
