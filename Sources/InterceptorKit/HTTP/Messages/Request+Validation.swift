extension HTTP.Request {
    /// Throws if the request cannot be sent as it is.
    ///
    /// A client calls this before it sends; transports call it again, because interceptors change requests.
    public func validate() throws(HTTP.RequestError) {
        try validate(allowingRelativeURL: false)
    }

    /// Throws if the request cannot be sent once its URL is complete.
    /// - Parameter allowingRelativeURL: Whether to allow a URL that a ``BaseURLInterceptor`` completes.
    public func validate(allowingRelativeURL: Bool) throws(HTTP.RequestError) {
        try validateMethod()
        if let problem = headers.sendingProblem { throw problem }
        if !(allowingRelativeURL && url.isRelative) { try url.validate() }
        if headers.contains("Host") { try validateHost() }
        try validateFraming()
    }

    private func validateMethod() throws(HTTP.RequestError) {
        guard HTTP.FieldSyntax.isToken(method.rawValue) else {
            throw HTTP.RequestError(
                .invalidMethod,
                "The method \(HTTP.printable(method.rawValue)) is not a token (RFC 9110 section 9.1)."
            )
        }
        // Compared without regard to case, since Foundation sends some methods in capitals.
        guard !HTTP.FieldSyntax.isSameName(method.rawValue, "CONNECT") else {
            throw HTTP.RequestError(
                .invalidMethod,
                "CONNECT turns a connection into a tunnel and has no response with content (RFC 9110 "
                    + "section 9.3.6). Give the transport a proxy, and it makes the tunnel."
            )
        }
        guard body.isEmpty || !HTTP.FieldSyntax.isSameName(method.rawValue, "TRACE") else {
            throw HTTP.RequestError(
                .invalidBody,
                "A TRACE request has no content (RFC 9110 section 9.3.8). Remove the body."
            )
        }
    }

    // If a proxy and the server behind it choose different hosts, one host's content is served for the other.
    private func validateHost() throws(HTTP.RequestError) {
        let hosts = headers.values("Host")
        let url = HTTP.URL(unvalidated: "http://" + (hosts.first ?? ""))
        guard hosts.count == 1, url.parts.problem == nil, url.host?.isEmpty == false,
            !url.text.ends(with: ":"), url.path.isEmpty, url.query == nil,
            url.splitFragment().fragment.isEmpty
        else {
            throw HTTP.RequestError(
                .invalidField,
                "The field Host is not one host with or without a port (RFC 9110 section 7.2). Remove "
                    + "it, the transport sets it from the URL."
            )
        }
    }

    // Two statements of a body's end allow request smuggling (RFC 9112 section 11.2).
    private func validateFraming() throws(HTTP.RequestError) {
        if headers.contains("Transfer-Encoding") {
            throw HTTP.RequestError(
                .invalidField,
                "Transfer-Encoding is set by the transport; remove it from the request."
            )
        }
        if headers.contains("Content-Length"),
            headers.values("Content-Length") != body.length.map({ ["\($0)"] })
        {
            throw HTTP.RequestError(
                .invalidField,
                "Content-Length must be the body's length, once, in digits only (RFC 9110 section "
                    + "8.6); remove it, the transport sets it."
            )
        }
    }
}
