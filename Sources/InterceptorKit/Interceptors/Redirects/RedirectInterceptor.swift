/// Follows redirects (RFC 9110 section 15.4) without sending secrets to another origin.
///
/// 301, 302, 303, 307 and 308 with a `Location` are followed; a relative one is resolved against the URL of the
/// request. The method and body are kept, except that 303, and 301 and 302 after `POST`, lead to a `GET`. Intermediate
/// responses are released; the last one lists them in ``HTTP/Response/redirects``; each redirect emits an event. A
/// redirect that the call or ``RedirectPolicy/decide`` leaves to the caller has its ``HTTP/Response/nextRequest``.
///
/// **Another origin** (scheme, host or port) receives the caller's fields that are listed in
/// ``RedirectPolicy/fieldsAcrossOrigins`` and nothing else: no `Authorization`, no `Cookie`, no custom field, no body
/// and no ``Call/connectAddress``. What was dropped stays dropped when a later redirect leads back. Tokens, cookies and
/// signatures are added below, to each request as its target may have them.
///
/// **Not followed** are the 21st redirect, a loop, https to http, a target that is not an http URL, and a body that
/// cannot be sent again or would go to another origin: each throws a ``RedirectError`` that carries the response. User
/// names and passwords in a target are dropped, and no `Referer` is sent.
///
/// Put it **outside** caches, retries, tokens, cookies and signatures: each redirected request passes all of them
/// again, with attempts of its own. ``RedirectPolicy/prepare`` changes such a request. A cancelled call follows no
/// further redirect.
public struct RedirectInterceptor: Interceptor {
    private let policy: RedirectPolicy

    /// Creates an interceptor.
    /// - Parameter policy: The rules for following redirects; for one call, see ``Call/followsRedirects`` and
    ///   ``Call/redirectLimit``. Defaults to the default policy.
    public init(policy: RedirectPolicy = RedirectPolicy()) { self.policy = policy }

    public var placement: Placement? { .redirect }

    public var keepsDeadline: Bool { true }

    public func validate() throws { try policy.validate() }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        let response = try await chain.proceed()
        if !response.isRedirect { return noting(chain.call.redirects, in: response) }
        return try await followKeepingDeadline(response, chain)
    }

    // Functions of their own, because an asynchronous one takes room for all that it may do.

    @inline(never)
    private func noting(
        _ redirects: [HTTP.Redirect],
        in response: consuming HTTP.Response
    ) -> HTTP.Response {
        if !redirects.isEmpty { response.redirects = redirects }
        return response
    }

    @inline(never)
    private nonisolated(nonsending) func followKeepingDeadline(
        _ response: HTTP.Response,
        _ chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        try await chain.call.keepingDeadline { call in
            try await follow(response, chain.guarded(call))
        }
    }

    private nonisolated(nonsending) func follow(
        _ first: HTTP.Response,
        _ chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        var (call, response) = (chain.call, first)
        var redirectChain = RedirectChain(chain.input, call, policy)
        guard call.followsRedirects else {
            // Who follows no redirect gets no error about one.
            response.stopped = try? await step(in: &redirectChain, after: response)
            response.redirects = redirectChain.redirects
            return response
        }
        while let step = try await next(in: &redirectChain, after: response, call) {
            guard try await policy.decide(step.redirect) == .follow else {
                call.emit(
                    .redirectStopped,
                    ["status": .number(response.status.code), "reason": .text("decided")]
                )
                response.stopped = step
                break
            }
            call.emitFollowed(step.redirect)
            await response.discard(on: call.runtime)
            try Task.checkCancellation()
            redirectChain.follow(step)
            call.redirects = redirectChain.redirects
            // Both belong to the previous server, not to the one that it names.
            if step.redirect.changesOrigin, call.connectAddress != nil || call.authority != nil {
                call.connectAddress = nil
                call.authority = nil
            }
            response = try await chain.proceed(redirectChain.request, call: call)
        }
        response.redirects = redirectChain.redirects
        return response
    }

    private nonisolated(nonsending) func next(
        in redirectChain: inout RedirectChain,
        after response: HTTP.Response,
        _ call: Call
    ) async throws -> HTTP.RedirectStep? {
        do {
            return try await step(in: &redirectChain, after: response)
        } catch let error as RedirectError {
            call.emit(
                .redirectStopped,
                [
                    "status": .number(response.status.code),
                    "reason": .text(error.code.description),
                ]
            )
            throw error
        }
    }

    private nonisolated(nonsending) func step(
        in redirectChain: inout RedirectChain,
        after response: HTTP.Response
    ) async throws -> HTTP.RedirectStep? {
        redirectChain.locate(by: response)
        guard var request = try redirectChain.proposal(after: response) else { return nil }
        try await policy.prepare?(&request, response)
        return try redirectChain.step(with: request, after: response)
    }
}

extension Call {
    fileprivate func emitFollowed(_ redirect: HTTP.Redirect) {
        emit(
            .redirectFollowed,
            [
                "status": .number(redirect.status.code),
                "number": .number(redirect.number),
                "target": .text(HTTP.originDescription(of: redirect.target)),
                "origin.changes": .flag(redirect.changesOrigin),
            ]
        )
    }
}

private enum FollowsRedirects: CallKey {
    static let defaultValue = true
}

private enum RedirectLimit: CallKey {
    static let defaultValue: Int? = nil
}

extension Call {
    /// Whether this call's redirects are followed; otherwise they go to the caller, with their
    /// ``HTTP/Response/nextRequest``. Defaults to `true`.
    public var followsRedirects: Bool {
        get { self[FollowsRedirects.self] }
        set { self[FollowsRedirects.self] = newValue }
    }

    /// The largest number of redirects for this call; `nil`, the default, uses the policy's.
    ///
    /// At zero the first redirect is an error. Values below zero count as zero.
    public var redirectLimit: Int? {
        get { self[RedirectLimit.self] }
        set { self[RedirectLimit.self] = newValue }
    }
}

extension Event.Name {
    /// A redirect is followed: `status`, `number`, `target` (an origin), `origin.changes`.
    public static let redirectFollowed: Self = "redirect.followed"
    /// A redirect is not followed: `status`, and `reason`, which is the code of a ``RedirectError`` or `decided` if the
    /// policy leaves it to the caller.
    public static let redirectStopped: Self = "redirect.stopped"
}
