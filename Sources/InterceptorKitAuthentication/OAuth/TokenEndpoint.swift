public import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The token endpoint of an authorization server (RFC 6749 section 3.2), and its client.
///
/// ```swift
/// let endpoint = TokenEndpoint(
///     "https://login.example.com/token",
///     client: .basic(id: "app", secret: secret),
///     pipeline: try Pipeline(transport: transport) { RetryInterceptor(policy: .standard) }
/// )
/// let tokens = ClientCredentialsSource(at: endpoint, scopes: ["orders"])
/// ```
public struct TokenEndpoint: Sendable {
    static let responseLimit = 64 * 1024

    let url: HTTP.URL
    let client: OAuthClient
    private let pipeline: Pipeline<HTTP.Request>
    private let timeout: Duration

    /// Creates an endpoint.
    /// - Parameters:
    ///   - url: The endpoint's complete URL.
    ///   - client: The client that requests tokens.
    ///   - pipeline: The pipeline for the requests, without an error filter, because its errors hide the server's
    ///     response. It may be the pipeline that uses the tokens: token requests get no credential there.
    ///   - timeout: The longest time for a response, including all attempts. Defaults to 30 s.
    public init(
        _ url: HTTP.URL,
        client: OAuthClient,
        pipeline: Pipeline<HTTP.Request>,
        timeout: Duration = .seconds(30)
    ) {
        self.url = url
        self.client = client
        self.pipeline = pipeline
        self.timeout = timeout
    }

    /// Requests a token.
    /// - Parameters:
    ///   - parameters: The parameters to send. Empty values are left out.
    ///   - secrets: The values that errors must not repeat.
    ///   - refreshToken: The refresh token that remains valid if the response has no new one.
    func token(
        _ parameters: [(name: String, value: String)],
        secrets: [String] = [],
        keeping refreshToken: String? = nil
    ) async throws -> Credential {
        var parameters = parameters.filter { !$0.value.isEmpty }
        var headers: HTTP.Headers = [
            "Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded",
        ]
        client.identify(in: &headers, &parameters)
        let request = HTTP.Request.post(
            url,
            headers: headers,
            body: .form(HTTP.Parameters(parameters))
        )
        var call = pipeline.makeCall()
            .withDeadline(within: timeout)
            .credentialFields(adding: headers.contains("Authorization") ? ["Authorization"] : [])
        call.credentialUse = .none
        // If a response is lost, another token is just as good. Single-use refresh tokens are protected further below.
        call.isIdempotent = true
        var pipeline = pipeline
        let signing = client.assertion.map {
            ClientAssertionInterceptor(assertion: $0, endpoint: url, parameters: parameters)
        }
        if let signing { pipeline = try pipeline.adding([signing]) }
        if refreshToken != nil { pipeline = try pipeline.adding([SingleUseInterceptor()]) }
        let response: HTTP.Response
        do {
            response = try await pipeline.run(request, call: call)
        } catch let error as SingleUseInterceptor.Withheld {
            throw error.cause ?? error
        }
        let sent = [client.secret].compactMap(\.self) + (signing?.sent.all ?? [])
        let secrets = (secrets + sent).filter { !$0.isEmpty }
        let tokenResponse: TokenResponse
        do {
            let data = try await response.body
                .limited(to: call.remaining ?? timeout, of: call, by: "TokenEndpoint")
                .collect(upTo: Self.responseLimit)
            guard response.status.isSuccess else {
                throw OAuthError.refusal(response, data, hiding: secrets, at: pipeline.runtime.date)
            }
            do {
                tokenResponse = try JSONDecoder().decode(TokenResponse.self, from: data)
            } catch let error as DecodingError {
                let refusal = OAuthError.refusal(named: data, response.status, hiding: secrets)
                if let refusal { throw refusal }
                throw error
            }
        } catch is DecodingError {
            throw OAuthError.malformed(response.status, "is not JSON with an access token")
        } catch let error as HTTP.ContentError where error.code == .tooLarge {
            throw OAuthError.malformed(
                response.status,
                "is larger than \(Self.responseLimit) bytes"
            )
        }
        return try credential(tokenResponse, response.status, keeping: refreshToken)
    }

    private func credential(
        _ tokenResponse: TokenResponse,
        _ status: HTTP.Status,
        keeping refreshToken: String?
    ) throws(OAuthError) -> Credential {
        // Other characters are not allowed in a field (RFC 6750 section 2.1 allows even fewer).
        let texts = [tokenResponse.accessToken, tokenResponse.refreshToken ?? "-"]
        guard texts.allSatisfy({ $0.utf8.allSatisfy { 0x21...0x7E ~= $0 } }) else {
            throw .malformed(status, "has a token with invalid characters")
        }
        let expiry = tokenResponse.expiresIn.map { pipeline.runtime.date.addingTimeInterval($0) }
        let refreshToken = tokenResponse.refreshToken ?? refreshToken
        // A missing type means a bearer token.
        switch (tokenResponse.tokenType ?? "bearer").lowercased() {
        case "bearer":
            return .bearer(tokenResponse.accessToken, expiresAt: expiry, refreshToken: refreshToken)
        case "dpop":
            return .dpop(tokenResponse.accessToken, expiresAt: expiry, refreshToken: refreshToken)
        default:
            throw OAuthError(
                .unsupportedTokenType,
                status,
                "The token endpoint returned a token of a type other than Bearer or DPoP, which cannot be "
                    + "used here."
            )
        }
    }
}

extension OAuthError {
    static func malformed(_ status: HTTP.Status, _ problem: String) -> OAuthError {
        OAuthError(
            .malformedResponse,
            status,
            "The token endpoint answered \(status), but the response \(problem). Check its URL."
        )
    }

    static func refusal(
        _ response: HTTP.Response,
        _ data: Data,
        hiding secrets: [String],
        at date: Date
    ) -> OAuthError {
        let retryAfter = response.headers.retryAfter(date: date)
        let status = response.status
        return refusal(named: data, status, hiding: secrets, retryAfter: retryAfter)
            ?? OAuthError(
                .refused,
                status,
                "The token endpoint answered \(status) without an error of RFC 6749.",
                retryAfter: retryAfter
            )
    }

    /// - Returns: `nil` if the content names no error.
    static func refusal(
        named data: Data,
        _ status: HTTP.Status,
        hiding secrets: [String],
        retryAfter: Duration? = nil
    ) -> OAuthError? {
        guard let refusal = try? JSONDecoder().decode(TokenErrorResponse.self, from: data),
            !refusal.error.isEmpty
        else { return nil }
        // A registered code contains no secret, but a short secret may be part of its words.
        let shown =
            Code.registered.contains(refusal.error)
            ? refusal.error : HTTP.hiding(secrets, in: refusal.error)
        let code = Code(String(shown.prefix(80)))
        func error(_ message: String) -> OAuthError {
            OAuthError(code, status, message, retryAfter: retryAfter, isRefusal: true)
        }
        let words = refusal.text.map {
            " It says: \(HTTP.printable(HTTP.hiding(secrets, in: $0)))."
        }
        let advice = error("").endsSession ? " Someone must sign in again." : ""
        return error(
            "The token endpoint refused with \(HTTP.printable(code.description)).\(words ?? "")\(advice)"
        )
    }
}

extension HTTP {
    /// Returns text without the secrets that a server may have repeated in it.
    fileprivate static func hiding(_ secrets: [String], in text: String) -> String {
        secrets.contains { text.holds($0) }
            ? Redaction.placeholder : Redaction.standard.text(text)
    }
}

extension TokenEndpoint: CustomStringConvertible {
    /// The URL and the client's id.
    public var description: String { "TokenEndpoint(\(url), \(client))" }
}

extension TokenEndpoint: CustomReflectable {
    /// The description, so that `dump` and debuggers show no more.
    public var customMirror: Mirror { Mirror(self, children: ["endpoint": description]) }
}
