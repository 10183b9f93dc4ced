extension HTTP.Response {
    /// Whether its status says where else to ask. 300, 304, 305 and 306 do not.
    var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status.code) }

    /// Where a redirect points (RFC 9110 section 10.2.2): complete, without user information, with the
    /// fragment of the request's URL unless it has its own.
    /// - Returns: `nil` for a response that isn't a redirect or does not say where.
    func redirectTarget(from source: HTTP.URL) throws(RedirectProblem) -> HTTP.URL? {
        guard isRedirect, let location = headers.values("Location").first else { return nil }
        guard headers.values("Location").allSatisfy({ $0 == location }) else {
            throw .severalTargets
        }
        let reference = HTTP.URL(received: location)
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
