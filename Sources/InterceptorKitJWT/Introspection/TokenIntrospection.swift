#if JWT
public import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Verifies access tokens by asking the authorization server about each (RFC 7662), for tokens that only it can read.
///
/// ```swift
/// let client = try HTTP.Client(transport: transport) {
///     TokenInterceptor(
///         source: FixedCredentialSource(.basic(user: "orders", password: secret)),
///         origins: ["https://login.example.com"]
///     )
///     RateLimitInterceptor(policy: RateLimitPolicy(calls: 100))
/// }
/// let verifier = TokenIntrospection(
///     at: "https://login.example.com/introspect",
///     client: client,
///     audience: ["https://orders.example.com"]
/// )
/// ```
///
/// The client's chain authenticates this service to the server, as in the example, by a bearer token
/// (`ClientCredentialsSource`) or by a certificate of its transport. It needs a limit, too: each token that was not seen
/// before is a request, whoever invented it.
///
/// **Responses are kept in memory** under the SHA-256 of the token. An active token is believed for `activeLifetime` and
/// never beyond its `exp`: until then, its revocation is not noticed, which RFC 7662 section 4 leaves to you. With zero,
/// each call asks. A refusal is kept for `inactiveLifetime`, so that a flood of one bad token is a request every five
/// seconds; refusals have a place of their own, and push out no active token.
///
/// **Calls with the same token share a request**, which goes on while one of them waits. The deadline of each limits its
/// wait.
///
/// **When the server cannot tell**, since it is away, refuses this service or answers something else, a call gets an
/// ``AuthorizationServerError``, for which a server responds 503: no token is accepted, and none is called invalid.
///
/// The response is JSON; signed responses (RFC 9701) are not read.
public struct TokenIntrospection: AccessTokenVerifier {
    private let endpoint: IntrospectionEndpoint
    private let requests: Pipeline<IntrospectedToken>
    private let answers: IntrospectionCache
    private let activeLifetime: Duration
    private let inactiveLifetime: Duration
    private let leeway: Duration

    /// Creates a verifier.
    /// - Parameters:
    ///   - url: The complete URL of the introspection endpoint.
    ///   - client: The client whose chain asks and authenticates. Its timeout limits a request.
    ///   - issuer: The issuer that a response must name, byte for byte, if it names one (`iss`). Defaults to any. The
    ///     principal's issuer is the one that is named, or else this one, or else the URL.
    ///   - audience: The names of this service, one of which a token must be for (`aud`). Defaults to any.
    ///   - subject: The member that names the caller. Defaults to `sub`, without which a token is refused; for servers
    ///     that leave it out, `client_id` or `username`.
    ///   - activeLifetime: The longest time for which an active token is believed. Defaults to 60 s.
    ///   - inactiveLifetime: The time for which a refusal is kept. Defaults to 5 s.
    ///   - leeway: The difference between the server's clock and this one's that is forgiven. Defaults to 60 s, as for a
    ///     `JSONWebTokenVerifier`.
    ///   - capacity: The number of active tokens that are kept, and of refusals; of the former, those with more than
    ///     4 KiB of JSON count several times. Defaults to 10,000.
    public init(
        at url: HTTP.URL,
        client: HTTP.Client,
        issuer: String? = nil,
        audience: Set<String>? = nil,
        subject: String = "sub",
        activeLifetime: Duration = .seconds(60),
        inactiveLifetime: Duration = .seconds(5),
        leeway: Duration = .seconds(60),
        capacity: Int = 10_000
    ) {
        let endpoint = IntrospectionEndpoint(
            url: url,
            client: client,
            issuer: issuer,
            audience: Audience(names: audience),
            subject: subject
        )
        self.endpoint = endpoint
        requests = Self.sharing(endpoint, on: client.runtime)
        answers = IntrospectionCache(capacity: capacity)
        self.activeLifetime = activeLifetime
        self.inactiveLifetime = inactiveLifetime
        self.leeway = leeway
    }

    /// Returns the way to the endpoint on which calls with the same token share a request.
    private static func sharing(
        _ endpoint: IntrospectionEndpoint,
        on runtime: Runtime
    ) -> Pipeline<IntrospectedToken> {
        let sharing = CoalescingInterceptor<IntrospectedToken> { CoalescingKey($0.digest) }
        do {
            return try Pipeline([sharing], transport: endpoint, runtime: runtime)
        } catch {
            return Pipeline(failing: error)
        }
    }

    /// The number of responses that are kept.
    var keptAnswers: Int { answers.count }

    public func validate() throws {
        try endpoint.validate()
        let check = SettingCheck(of: "TokenIntrospection")
        try check.notNegative("activeLifetime", activeLifetime)
        try check.notNegative("inactiveLifetime", inactiveLifetime)
        try check.within(.zero ... .seconds(600), "leeway", leeway)
    }

    public nonisolated(nonsending) func verify(
        _ token: String,
        on call: Call
    ) async throws -> AccessToken {
        guard token.utf8.count <= CompactSignature.sizeLimit else {
            throw AccessTokenError(
                .tooLong,
                "The token has more than \(CompactSignature.sizeLimit) bytes."
            )
        }
        guard !token.isEmpty, token.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw AccessTokenError(
                .malformed,
                "The token is empty, or has characters that no token has."
            )
        }
        let token = IntrospectedToken(text: token)
        let runtime = call.runtime
        if let known = answers[token.digest, at: runtime.now] {
            let answer = try known.get()
            if !answer.hasExpired(at: runtime.date) { return answer.token }
        }
        let result = try await ask(about: token, on: call)
        // Kept also by those that shared the request, since none knows whether another did.
        if case .success(let answer) = result, activeLifetime > .zero {
            let left = answer.lifetime(at: runtime.date)
            answers.keep(
                result,
                for: token.digest,
                until: runtime.now.advanced(by: min(activeLifetime, left ?? activeLifetime))
            )
        } else if case .failure = result {
            let end = runtime.now.advanced(by: inactiveLifetime)
            answers.keep(result, for: token.digest, until: end)
        }
        return try result.get().token
    }

    private nonisolated(nonsending) func ask(
        about token: IntrospectedToken,
        on call: Call
    ) async throws -> IntrospectionCache.Result {
        // None of the call's own values and events, which are not those of the calls that share the request.
        var shared = Call(runtime: call.runtime)
        if let end = call.deadline { shared = shared.withDeadline(end, isLeft: true) }
        let answer: IntrospectionEndpoint.Answer
        do {
            answer = try await requests.run(token, call: shared)
        } catch let error as AccessTokenError {
            return .failure(error)
        } catch let error where !(error is AuthorizationServerError) {
            try Task.checkCancellation()
            throw AuthorizationServerError(
                call.remaining == .zero ? .timedOut : .unreachable,
                "\(endpoint.url) did not answer before the call's deadline, or before its client was closed.",
                cause: error
            )
        }
        let date = call.runtime.date
        // The server has compared its own clock, so only a clear contradiction counts.
        if let expiry = answer.token.principal.expiry,
            date.timeIntervalSince(expiry) >= leeway.inSeconds
        {
            return .failure(AccessTokenError(.expired, "The token has expired."))
        }
        if let start = answer.start, start.timeIntervalSince(date) > leeway.inSeconds {
            return .failure(
                AccessTokenError(
                    .notYetValid,
                    "The token's nbf is in the future. Compare the clocks of the server and this service."
                )
            )
        }
        return .success(answer)
    }
}

extension TokenIntrospection: CustomStringConvertible {
    /// The verifier as text, as in `TokenIntrospection(https://login.example.com/introspect)`.
    public var description: String { "TokenIntrospection(\(endpoint.url))" }
}

extension TokenIntrospection: CustomReflectable {
    /// The description, so that `dump` and debuggers show no answer.
    public var customMirror: Mirror { Mirror(self, children: ["endpoint": description]) }
}

extension IntrospectionEndpoint.Answer {
    fileprivate func lifetime(at date: Date) -> Duration? {
        // Bounded, so that it can be added to any instant.
        token.principal.expiry.map {
            .seconds(min(max(0, $0.timeIntervalSince(date)), 366 * 86_400))
        }
    }

    fileprivate func hasExpired(at date: Date) -> Bool {
        token.principal.expiry.map { $0 <= date } ?? false
    }
}
#endif
