#if JWT
import InterceptorKit
import InterceptorKitAuthentication

@testable import InterceptorKitJWT

extension BearerCases {
    /// A request with other `Authorization` fields.
    private static func fields(
        _ name: String,
        _ answer: BearerCase.Answer,
        _ fields: String...
    ) -> BearerCase {
        BearerCase(name, answer) { _ in
            HTTP.Request(
                .get,
                orders,
                headers: HTTP.Headers(fields.map { ("Authorization", $0) })
            )
        }
    }

    private static let orders: HTTP.URL = "https://api.example.com/orders"
    private static let invalidRequest = BearerCase.Answer.refused(
        400,
        "invalid_request",
        "invalidRequest"
    )
    private static let missing = BearerCase.Answer.refused(401, nil, "missing")

    static let requests: [BearerCase] = [
        fields("RFC 6750 3.1: no token", missing),
        fields("RFC 6750 3.1: another scheme", missing, "Basic dXNlcjpwYXNz"),
        fields("RFC 6750 2.1: no token after the scheme", invalidRequest, "Bearer"),
        fields("RFC 6750 2.1: a blank after the scheme", invalidRequest, "Bearer "),
        fields("RFC 6750 2.1: two tokens", invalidRequest, "Bearer a b"),
        fields("RFC 6750 2.1: a list of tokens", invalidRequest, "Bearer a, Bearer b"),
        fields("RFC 6750 2.1: a parameter", invalidRequest, #"Bearer token="a""#),
        fields("RFC 6750 2.1: padding within", invalidRequest, "Bearer a=b"),
        fields("RFC 6750 2.1: letters beyond ASCII", invalidRequest, "Bearer caf\u{E9}"),
        fields("RFC 9110 5.3: two fields", invalidRequest, "Bearer a", "Bearer b"),
        fields("RFC 6750 2.1: a token with padding", .invalidToken("malformed"), "Bearer a=="),
        BearerCase("RFC 9110 11.1: the scheme in small letters", .served) { world in
            BearerWorld.request(("authorization", "bearer \(world.token())"))
        },
        BearerCase("RFC 6750 2.3: a token in the query", missing) { world in
            .get(HTTP.URL(unvalidated: "\(orders.text)?access_token=\(world.token())"))
        },
        BearerCase("RFC 6750 2.2: a token in a form", missing) { world in
            .post(
                orders,
                headers: ["Content-Type": "application/x-www-form-urlencoded"],
                body: .text("access_token=\(world.token())")
            )
        },
        BearerCase("RFC 6750 2: a token in the field and the query", invalidRequest) { world in
            var request = world.bearer()
            request.url = HTTP.URL(unvalidated: "\(orders.text)?a=1&access%5Ftoken=x")
            return request
        },
        BearerCase(
            "RFC 6750 3.1: a scope that is lacking",
            .refused(403, "insufficient_scope", "insufficientScope"),
            at: .strict
        ) { $0.bearer() },
        BearerCase(
            "RFC 9470 3: another way to sign in",
            .refused(401, "insufficient_user_authentication", "insufficientAuthentication"),
            at: .strict
        ) {
            $0.bearer(
                claims: [
                    "scope": #""orders:delete""#, "acr": #""pwd""#,
                    "auth_time": "\(BearerWorld.now)",
                ]
            )
        },
        BearerCase(
            "RFC 9470 3: a sign-in that is too long ago",
            .refused(401, "insufficient_user_authentication", "insufficientAuthentication"),
            at: .strict
        ) {
            $0.bearer(
                claims: [
                    "scope": #""orders:delete""#, "acr": #""mfa""#,
                    "auth_time": "\(BearerWorld.now - 61)",
                ]
            )
        },
        BearerCase("RFC 9470 5: a sign-in that is enough", .served, at: .strict) {
            $0.bearer(
                claims: [
                    "scope": #""orders:delete""#, "acr": #""mfa""#,
                    "auth_time": "\(BearerWorld.now - 60)",
                ]
            )
        },
        // RFC 8705.
        BearerCase("RFC 8705 3: the token's certificate", .served, at: .bound) {
            certified($0, by: BearerWorld.certificate)
        },
        BearerCase("RFC 8705 3: another certificate", .invalidToken("binding"), at: .bound) {
            certified($0, by: [1, 2, 3])
        },
        BearerCase("RFC 8705 3: no certificate", .invalidToken("binding"), at: .bound) {
            certified($0, by: [])
        },
        BearerCase("RFC 8705 3: a certificate that nobody looks for", .invalidToken("binding")) {
            certified($0, by: BearerWorld.certificate)
        },
        BearerCase("RFC 9440 2.2: two certificates", .invalidToken("binding"), at: .bound) {
            var request = certified($0, by: BearerWorld.certificate)
            request.headers.append(name: "Client-Cert", value: ":AQID:")
            return request
        },
        BearerCase(
            "RFC 7800 3.1: a binding that is not known",
            .invalidToken("binding"),
            at: .bound
        ) {
            $0.bearer(claims: ["cnf": #"{"jwk":{"kty":"EC"}}"#])
        },
        BearerCase("RFC 7800 3.1: a binding to nothing", .invalidToken("binding")) {
            $0.bearer(claims: ["cnf": "{}"])
        },
        BearerCase("RFC 7800 3.1: a binding that is null", .invalidToken("malformed")) {
            $0.bearer(claims: ["cnf": "null"])
        },
        BearerCase("RFC 8705 3.1: a thumbprint of another length", .invalidToken("malformed")) {
            $0.bearer(claims: ["cnf": #"{"x5t#S256":"AQID"}"#])
        },
    ]

    /// A request over a connection with a certificate, and a token that is bound to the world's.
    private static func certified(_ world: BearerWorld, by der: [UInt8]) -> HTTP.Request {
        let hash = Base64URL.encode(HashAlgorithm.sha256.hash(BearerWorld.certificate))
        var request = world.bearer(claims: ["cnf": #"{"x5t#S256":"\#(hash)"}"#])
        request.headers["Client-Cert"] = try? HTTP.StructuredField.Item(.bytes(der)).serialized()
        return request
    }
}
#endif
