/// The redirects of one call, as a value without effects, so that its rules can be tested alone.
struct RedirectChain {
    private struct Visit: Hashable {
        let method: HTTP.Method
        let url: String

        init(_ request: HTTP.Request) {
            method = request.method
            url = request.url.splitFragment().front
        }
    }

    private let policy: RedirectPolicy
    private let limit: Int
    private let credentialFields: [String]
    private let redaction: Redaction
    private var home: HTTP.Origin?
    private var visits: Set<Visit> = []

    /// The last request.
    private(set) var request: HTTP.Request
    private(set) var redirects: [HTTP.Redirect]

    init(_ request: HTTP.Request, _ call: Call, _ policy: RedirectPolicy) {
        self.policy = policy
        self.request = request
        // A redirect that is not followed is none too many.
        limit = call.followsRedirects ? call.redirectLimit.map { max(0, $0) } ?? policy.limit : .max
        credentialFields = call.credentialFields
        redaction = call.redaction
        home = request.url.origin
        redirects = call.redirects
    }

    /// Takes the response's URL as the request's if an interceptor below chose another origin, as a load balancer does:
    /// a reference in the response is relative to that URL.
    mutating func locate(by response: HTTP.Response) {
        guard let sent = response.request?.url, sent.origin != request.url.origin else { return }
        request.url = sent
        if redirects.isEmpty { home = sent.origin }
    }

    /// Returns the request that a redirect asks for, in the form for the same origin; `nil` for another response.
    func proposal(after response: HTTP.Response) throws(RedirectError) -> HTTP.Request? {
        try checked(response) { () throws(RedirectProblem) in
            guard let target = try response.redirectTarget(from: request.url) else { return nil }
            guard redirects.count < limit else { throw .tooMany(limit) }
            return request.redirected(response.status, to: target)
        }
    }

    /// Returns the step to a request, without the parts that another origin must not receive.
    mutating func step(
        with next: HTTP.Request,
        after response: HTTP.Response
    ) throws(RedirectError) -> HTTP.RedirectStep {
        // A cookie may change the response, for example where a server tests whether cookies come back.
        visits = response.headers.contains("Set-Cookie") ? [] : visits.union([Visit(request)])
        return try checked(response) { () throws(RedirectProblem) in
            try allowed(next, after: response)
        }
    }

    private func checked<Value>(
        _ response: HTTP.Response,
        _ check: () throws(RedirectProblem) -> Value
    ) throws(RedirectError) -> Value {
        do throws(RedirectProblem) {
            return try check()
        } catch {
            var response = response
            response.redirects = redirects
            throw RedirectError(
                code: error.code,
                message: "Redirect \(redirects.count + 1) of the call, \(response.status) from "
                    + "\(HTTP.originDescription(of: request.url)), is not followed. \(error.reason)",
                response: response
            )
        }
    }

    mutating func follow(_ step: HTTP.RedirectStep) {
        redirects.append(step.redirect)
        request = step.request
    }

    private func allowed(
        _ next: HTTP.Request,
        after response: HTTP.Response
    ) throws(RedirectProblem) -> HTTP.RedirectStep {
        do throws(HTTP.RequestError) {
            try next.validate()
        } catch {
            throw .cannotBeSent
        }
        if request.url.scheme == "https", next.url.scheme == "http", !policy.allowsDowngrade {
            throw .downgrade
        }
        var next = next
        if !policy.allowsRepeats, visits.contains(Visit(next)) { throw .loop }
        if !next.body.isReplayable { throw .bodyCannotBeSentAgain }
        // The caller's `Host` names the origin of its request (RFC 9110 section 7.2).
        if next.url.origin != request.url.origin { next.headers["Host"] = nil }
        if next.url.origin != request.url.origin, !isTrusted(next.url.origin) {
            guard next.body.isEmpty || policy.sendsBodiesAcrossOrigins else {
                throw .bodyAcrossOrigins
            }
            // Permanent: a dropped field stays dropped in all later requests, even back at the first origin.
            next.headers.removeAll { name in
                !policy.fieldsAcrossOrigins.contains(name)
                    || credentialFields.contains { HTTP.FieldSyntax.isSameName($0, name) }
            }
        }
        let redirect = HTTP.Redirect(
            number: redirects.count + 1,
            status: response.status,
            source: request.url,
            target: next.url,
            method: next.method,
            headers: HTTP.Headers(redaction.headers(response.headers, hiding: credentialFields))
        )
        return HTTP.RedirectStep(redirect: redirect, request: next)
    }

    private func isTrusted(_ origin: HTTP.Origin?) -> Bool {
        guard let origin else { return false }
        return origin == home || policy.trustedOrigins.contains(origin)
    }
}

extension HTTP.Response {
    /// Whether the status asks for another request. 300, 304, 305 and 306 do not.
    var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status.code) }

    /// Returns the target of a redirect (RFC 9110 section 10.2.2): complete, without user information, with the
    /// fragment of the request's URL unless it has its own.
    /// - Returns: `nil` for a response that is not a redirect or has no `Location`.
    fileprivate func redirectTarget(from source: HTTP.URL) throws(RedirectProblem) -> HTTP.URL? {
        guard isRedirect, let location = headers.values("Location").first else { return nil }
        guard headers.values("Location").allSatisfy({ $0 == location }) else {
            throw .severalTargets
        }
        let reference = HTTP.URL(received: location, at: source)
        if let scheme = reference.scheme, scheme != "http" && scheme != "https" {
            throw .unsupportedScheme(scheme)
        }
        if let problem = reference.parts.problem { throw .invalidTarget(problem.description) }
        var target = reference.resolved(against: source)
        if target.splitFragment().fragment.isEmpty {
            target = HTTP.URL(unvalidated: target.text + source.splitFragment().fragment)
        }
        do throws(HTTP.RequestError) {
            try target.validate()
        } catch {
            throw .invalidTarget("it has no host")
        }
        return target
    }
}

extension HTTP.Request {
    /// Returns the request for a redirect's target, in the form for the same origin (RFC 9110 section 15.4).
    ///
    /// Only 303, and 301 and 302 for `POST`, lead to a `GET` without the body and the fields that describe it.
    fileprivate func redirected(_ status: HTTP.Status, to target: HTTP.URL) -> HTTP.Request {
        var next = self
        next.url = target
        let isFetch = status == 303 || (method == .post && (status == 301 || status == 302))
        guard isFetch else { return next }
        next.method = method == .head ? .head : .get
        next.body = .empty
        next.headers.removeAll { name in
            name.begins(with: "content-") || Self.fieldsOfContent.contains(name)
        }
        return next
    }

    // In addition to all that begin with Content-, such as Content-Digest.
    private static let fieldsOfContent: Set<String> = [
        "digest", "expect", "last-modified", "repr-digest", "trailer", "transfer-encoding",
    ]
}

extension HTTP.Headers {
    /// Removes the fields whose lower-case name meets a condition.
    fileprivate mutating func removeAll(where shouldBeRemoved: (_ name: String) -> Bool) {
        for name in Set(map { $0.name.lowercased() }) where shouldBeRemoved(name) {
            self[name] = nil
        }
    }
}
