public import InterceptorKit

/// Responds to HTTP Digest challenges (RFC 7616), which prove a password without sending it.
///
/// The first request to an origin has no credential and is sent again after the server's challenge. Later requests use
/// the known nonce at once and count its uses. The request is replayed, once per call, if the server calls the nonce
/// stale, or sends another nonce after it has accepted the password: a server with one-time nonces need not say `stale`
/// (RFC 7616 section 3.6). If the server refuses the password, the caller gets the 401. No later step may change the
/// request: put the interceptor **inside** retry and **outside** signing, like `TokenInterceptor`.
///
/// It supports MD5, SHA-256 and SHA-512/256, their session variants (`-sess`), and hashed user names. Names are in
/// UTF-8 without normalisation: in `username*` for a server that offers `charset=UTF-8`, otherwise in `username`, which
/// servers without `charset` accept. Of several challenges, it uses the strongest.
///
/// A server can prove that it knows the password too (`rspauth` in `Authentication-Info`, RFC 7616 section 3.5). A
/// wrong proof fails the call with a `TokenError`. Most servers send none, so only TLS or ``ServerProof/required``
/// reliably detects a false server.
public struct DigestInterceptor: Interceptor {
    /// The handling of the server's proof that it knows the password.
    public enum ServerProof: Sendable, Hashable {
        /// The proof is ignored, for servers whose proof is incorrect.
        case ignored
        /// A wrong proof fails the call; a missing one does not.
        case checked
        /// A wrong or missing proof fails the call, as does one that cannot be checked because of a `Content-Encoding`.
        case required
    }

    private let user: String
    private let password: String
    private let origins: [HTTP.Origin]
    private let coversBody: Bool
    private let acceptsMD5: Bool
    private let serverProof: ServerProof
    private let nonces = DigestNonces()

    /// Creates an interceptor.
    /// - Parameters:
    ///   - user: The user's name. Building a pipeline fails with a colon or control character in it, which no server
    ///     can accept (RFC 7616 section 3.4.2).
    ///   - password: The password.
    ///   - origins: The only origins that get the proof. Building a pipeline fails with an invalid origin or none.
    ///   - coversBody: Whether to cover replayable content if the server offers it (`auth-int`). Defaults to `false`,
    ///     which covers content only if the server offers nothing else.
    ///   - acceptsMD5: Whether to respond to challenges with MD5, which makes guessing a weak password fastest.
    ///     Defaults to `true`, because many servers support nothing else.
    ///   - serverProof: The handling of the server's own proof. Defaults to ``ServerProof/checked``.
    public init(
        user: String,
        password: String,
        origins: [HTTP.Origin],
        coversBody: Bool = false,
        acceptsMD5: Bool = true,
        serverProof: ServerProof = .checked
    ) {
        self.user = user
        self.password = password
        self.origins = origins
        self.coversBody = coversBody
        self.acceptsMD5 = acceptsMD5
        self.serverProof = serverProof
    }

    public var placement: Placement? { .token }

    public func validate() throws {
        try SettingCheck(of: "DigestInterceptor").origins(origins)
        guard user.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ":") }) else {
            throw TokenError(
                .invalidCredential,
                "The user name for Digest has a colon or a control character, so that no server can hold "
                    + "it (RFC 7616 section 3.4.2). Give the name that the server knows."
            )
        }
    }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        guard chain.call.credentialUse != .none, let origin = chain.input.url.origin,
            origins.contains(origin), !chain.input.headers.contains("Authorization")
        else { return try await chain.proceed() }
        let first = nonces.next(for: origin)
        let response = try await send(chain, first, origin)
        guard response.status == 401 else { return response }
        let isReplayable = chain.input.body.isReplayable
        guard let challenge = challenge(of: response), isReplayable,
            first.map({ isNonceRejected($0, by: challenge, at: origin) }) ?? true
        else { return response }
        chain.call.emit(
            .credentialRejected,
            ["reason": .text(first == nil ? "challenge" : "stale nonce")]
        )
        await response.discard(on: chain.call.runtime)
        let second = try await send(chain, nonces.begin(challenge, for: origin), origin)
        if second.status == 401 { nonces.distrust(origin) }
        return second
    }

    /// Whether the server refused the nonce and not the password.
    private func isNonceRejected(
        _ used: DigestNonces.Use,
        by challenge: DigestChallenge,
        at origin: HTTP.Origin
    ) -> Bool {
        challenge.isStale
            || challenge.nonce != used.challenge.nonce && nonces.isTrusted(origin)
    }

    private func challenge(of response: HTTP.Response) -> DigestChallenge? {
        .strongest(of: response.headers.challenges(), acceptsMD5: acceptsMD5)
    }

    /// Sends the request, with a response to the known challenge if there is one, and updates the nonce.
    private nonisolated(nonsending) func send(
        _ chain: InterceptorChain<HTTP.Request>,
        _ nonceUse: DigestNonces.Use?,
        _ origin: HTTP.Origin
    ) async throws -> HTTP.Response {
        guard let nonceUse,
            let protection = protection(by: nonceUse.challenge, of: chain.input.body)
        else { return try await chain.proceed() }
        var request = chain.input
        // The server hashes the target as sent, which is the normalised one.
        request.url = request.url.normalized
        var authorization = DigestAuthorization(
            challenge: nonceUse.challenge,
            user: user,
            password: password,
            method: request.method.rawValue,
            target: request.url.requestTarget,
            count: nonceUse.count,
            clientNonce: chain.call.runtime.randomBytes(16).hexadecimal,
            protection: protection.value
        )
        if protection.value == .authInt {
            authorization.bodyHash = try await request.body.hash(by: nonceUse.challenge.hash)
                .hexadecimal
        }
        request.headers["Authorization"] = authorization.fieldValue
        let call = chain.call.credentialFields(adding: ["Authorization"])
        call.emit(.credentialAttached)
        let response = try await chain.proceed(request, call: call)
        if response.status == 401 {
            nonces.forget(nonceUse, for: origin)
            return response
        }
        let info = DigestInfo(response.headers)
        let proved: HTTP.Response
        do {
            proved = try await self.proved(response, by: info, authorization)
        } catch let error as TokenError {
            nonces.forget(nonceUse, for: origin)
            await response.discard(on: chain.call.runtime)
            throw error
        }
        if response.status.code < 400 { nonces.trust(origin) }
        // The `-sess` variants bind the hash to the first nonce, and servers disagree on how a next nonce affects it.
        if let nonce = info.nextNonce, !nonceUse.challenge.isSession {
            nonces.replace(nonceUse, by: nonce, for: origin)
        }
        return proved
    }

    private nonisolated(nonsending) func proved(
        _ response: HTTP.Response,
        by info: DigestInfo,
        _ authorization: DigestAuthorization
    ) async throws -> HTTP.Response {
        guard serverProof != .ignored else { return response }
        guard let proof = DigestServerProof(info, to: authorization),
            proof.isCheckable(with: response.headers)
        else {
            if serverProof == .required { throw TokenError.missingServerProof }
            return response
        }
        return try await proof.checked(response)
    }

    private struct Chosen {
        /// The protection; `nil` for servers that support only RFC 2069.
        let value: DigestChallenge.Protection?
    }

    /// - Returns: `nil` if the server requires coverage of content that cannot be replayed.
    private func protection(by challenge: DigestChallenge, of body: HTTP.Body) -> Chosen? {
        guard let offered = challenge.protections else { return Chosen(value: nil) }
        let canCoverBody = offered.contains(.authInt) && body.isReplayable
        if offered.contains(.auth), !(coversBody && canCoverBody) { return Chosen(value: .auth) }
        return canCoverBody ? Chosen(value: .authInt) : nil
    }
}

extension DigestInterceptor: CustomStringConvertible {
    /// The type's name, never the password.
    public var description: String { "DigestInterceptor" }
}

extension DigestInterceptor: CustomReflectable {
    /// The origins only, so that `dump` and debuggers do not show the password.
    public var customMirror: Mirror { Mirror(self, children: ["origins": origins]) }
}

extension DigestInterceptor: CredentialScope {
    package var credentialOrigins: [HTTP.Origin]? { origins }
}
