#if JWT
import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A token to ask about, and what stands for it wherever it is remembered.
struct IntrospectedToken: Interceptable, CustomReflectable {
    typealias Output = IntrospectionEndpoint.Answer

    let text: String
    /// The SHA-256 of the token, in hexadecimal digits.
    let digest: String

    init(text: String) {
        self.text = text
        digest = HashAlgorithm.sha256.hash(text.utf8).hexadecimal
    }

    var customMirror: Mirror { Mirror(self, children: []) }
}

/// The introspection endpoint of an authorization server (RFC 7662 section 2).
struct IntrospectionEndpoint: Transport {
    /// What the server says of a token that is active and for this service.
    struct Answer: Sendable {
        let token: AccessToken
        /// The beginning of the token's time (`nbf`).
        let start: Date?
        /// The size of the response, in bytes.
        let size: Int
    }

    /// The largest response, in bytes, as that of a token endpoint.
    private static let answerLimit = 64 * 1024
    /// The greatest depth of a response's lists and objects.
    private static let deepest = 16

    let url: HTTP.URL
    let client: HTTP.Client
    let issuer: String?
    let audience: Audience
    let subject: String

    func validate() throws(SettingError) {
        let check = SettingCheck(of: "TokenIntrospection")
        try check.require(url.origin != nil, "url", "\(url)", "a complete URL")
        try check.require(issuer != "", "issuer", "empty", "the id that answers have")
        try check.require(!subject.isEmpty, "subject", "empty", "the name of a member")
        try audience.validate(check)
    }

    /// Asks about a token.
    /// - Throws: An ``AccessTokenError`` for a token that is not active or not for this service, and an
    ///   ``AuthorizationServerError`` if the server does not say.
    func send(_ token: IntrospectedToken, call: Call) async throws -> Answer {
        let data = try await call.keepingDeadline { call in
            try await content(about: token, on: call)
        }
        guard case .object(let members)? = JSONValue(exactly: data, depth: Self.deepest),
            case .bool(let isActive)? = members["active"]
        else { throw malformed("is no JSON object that says whether the token is active") }
        guard isActive else {
            throw AccessTokenError(.notActive, "\(url) says that the token is not active.")
        }
        do throws(AccessTokenError) {
            return try answer(members, data)
        } catch {
            guard error.code == .malformed else { throw error }
            throw malformed("has a member of another type than RFC 7662 section 2.2 says")
        }
    }

    private func answer(
        _ members: [String: JSONValue],
        _ data: Data
    ) throws(AccessTokenError) -> Answer {
        // Some servers write null for what they do not say.
        var members = members.filter { $0.value != .null }
        if subject != "sub" { members["sub"] = members[subject] }
        let claims = Claims(members, "introspection response")
        let named = try claims.text("iss")
        if let issuer, let named, !named.utf8.elementsEqual(issuer.utf8) {
            throw AccessTokenError(
                .issuer,
                "The token is of the issuer \(HTTP.printable(named)), and of no other than "
                    + "\(HTTP.printable(issuer)) are any accepted."
            )
        }
        try audience.check(claims)
        return Answer(
            token: try AccessToken(
                claims,
                issuer: named ?? issuer ?? url.text,
                scopes: ["scope"],
                json: data
            ),
            start: try claims.time("nbf"),
            size: data.count
        )
    }

    private func content(about token: IntrospectedToken, on call: Call) async throws -> Data {
        let request = HTTP.Request.post(
            url,
            headers: ["Accept": "application/json"],
            body: .form(["token": token.text, "token_type_hint": "access_token"])
        )
        do {
            let response = try await client.send(request) { sent in
                if let remaining = call.remaining { sent = sent.withDeadline(within: remaining) }
                sent.parentCall = Call(runtime: client.runtime)
                // A question, which another answers as well, and which goes nowhere else: the token is in it.
                sent.isIdempotent = true
                sent.followsRedirects = false
            }
            let body = response.body.limited(
                to: min(call.remaining ?? .seconds(30), .seconds(30)),
                of: call,
                by: "TokenIntrospection"
            )
            guard response.status == 200 else {
                await body.discard()
                throw refusal(response)
            }
            return try await body.collect(upTo: Self.answerLimit)
        } catch let error as AuthorizationServerError {
            throw error
        } catch let error as HTTP.ContentError where error.code == .tooLarge {
            throw malformed("is larger than \(Self.answerLimit) bytes", cause: error)
        } catch let error where !(error is CancellationError) {
            throw AuthorizationServerError(
                call.remaining == .zero ? .timedOut : .unreachable,
                "Nothing came from \(url). The cause is an error of the client that asks about tokens.",
                cause: error,
                retryAfter: (error as? any StatusReportingError)?.retryAfter
            )
        }
    }

    private func refusal(_ response: HTTP.Response) -> AuthorizationServerError {
        let isOurs = response.status == 401 || response.status == 403
        return AuthorizationServerError(
            .unreachable,
            "\(url) answered with status \(response.status.code) in place of 200."
                + (isOurs
                    ? " It does not accept the credentials of the client that asks about tokens."
                    : ""),
            retryAfter: response.headers.retryAfter(date: client.runtime.date)
        )
    }

    private func malformed(
        _ problem: String,
        cause: (any Error)? = nil
    ) -> AuthorizationServerError {
        AuthorizationServerError(
            .malformedIntrospection,
            "What \(url) answered \(problem). Look at its answer, which must be JSON and not signed (RFC 9701).",
            cause: cause
        )
    }
}
#endif
