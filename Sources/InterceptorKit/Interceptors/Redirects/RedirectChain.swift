/// The way of one call through its redirects: pure, so that its rules can be read and tested alone.
struct RedirectChain {
    private struct Visit: Hashable {
        let method: HTTP.Method
        let url: String

        init(_ request: HTTP.Request) {
            method = request.method
            url = request.url.splitFragment().front
        }
    }

    /// A redirect and the request that follows it.
    struct Step {
        let redirect: HTTP.Redirect
        let request: HTTP.Request
    }

    private let policy: RedirectPolicy
    private let limit: Int
    private let credentialFields: [String]
    private let home: HTTP.Origin?
    private var visits: Set<Visit> = []

    /// The request made last.
    private(set) var request: HTTP.Request
    /// The redirects followed.
    private(set) var redirects: [HTTP.Redirect]

    init(_ request: HTTP.Request, _ call: Call, _ policy: RedirectPolicy) {
        self.policy = policy
        self.request = request
        limit = call.redirectLimit.map { max(0, $0) } ?? policy.limit
        credentialFields = call.credentialFields
        home = request.url.origin
        redirects = call.redirects
    }

    /// What follows a response; `nil` if it isn't a redirect.
    mutating func step(after response: HTTP.Response) throws(RedirectError) -> Step? {
        do throws(RedirectProblem) {
            return try checkedStep(after: response)
        } catch {
            var response = response
            response.redirects = redirects
            throw RedirectError(
                code: error.code,
                message: "Redirect \(redirects.count + 1) of the call, \(response.status) from "
                    + "\(HTTP.place(request.url)), is not followed. \(error.reason)",
                response: response
            )
        }
    }

    /// Goes a step.
    mutating func follow(_ step: Step) {
        redirects.append(step.redirect)
        request = step.request
    }

    private mutating func checkedStep(
        after response: HTTP.Response
    ) throws(RedirectProblem) -> Step? {
        guard let target = try response.redirectTarget(from: request.url) else { return nil }
        guard redirects.count < limit else { throw .tooMany(limit) }
        if request.url.scheme == "https", target.scheme == "http", !policy.allowsDowngrade {
            throw .downgrade
        }
        // A cookie may change the response, as where a server looks whether cookies come back.
        visits = response.headers.contains("Set-Cookie") ? [] : visits.union([Visit(request)])
        var next = request.redirected(response.status, to: target)
        if !policy.allowsRepeats, visits.contains(Visit(next)) { throw .loop }
        if !next.body.isReplayable { throw .bodyCannotBeSentAgain }
        if next.url.origin != request.url.origin, !isTrusted(next.url.origin) {
            guard next.body.isEmpty || policy.sendsBodiesAcrossOrigins else {
                throw .bodyAcrossOrigins
            }
            // For good: what is dropped here is not there on any later hop, also not back home.
            next.headers.removeAll { name in
                !policy.fieldsAcrossOrigins.contains(name)
                    || credentialFields.contains { HTTP.FieldSyntax.isSameName($0, name) }
            }
        }
        let redirect = HTTP.Redirect(
            number: redirects.count + 1,
            status: response.status,
            source: request.url,
            target: target,
            method: next.method
        )
        return Step(redirect: redirect, request: next)
    }

    private func isTrusted(_ origin: HTTP.Origin?) -> Bool {
        guard let origin else { return false }
        return origin == home || policy.trustedOrigins.contains(origin)
    }
}
