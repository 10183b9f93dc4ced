extension HTTP.Request: Summarizable {
    /// Returns the method and the URL without its secrets.
    public func summary(on call: Call) -> Event.Value {
        .text(method.rawValue + " " + call.redaction.url(url.text))
    }

    /// Returns method, URL and fields as the call's ``Call/redaction`` shows them, with the names of the OpenTelemetry
    /// HTTP conventions; repeated fields are joined by commas (RFC 9110 section 5.3).
    public func attributes(on call: Call) -> Event.Attributes {
        let redaction = call.redaction
        var attributes: Event.Attributes = ["http.request.method": .text(method.rawValue)]
        attributes["url.full"] = .text(redaction.url(url.text))
        attributes["http.request.body.size"] = body.length.map { .number($0) }
        headers.add("http.request", redaction, call.credentialFields, to: &attributes)
        return attributes
    }

    /// Returns the error's description as the call's ``Call/redaction`` shows it.
    public static func redactedDescription(of error: any Error, on call: Call) -> String? {
        call.redaction.text("\(error)")
    }
}

extension HTTP.Response: Summarizable {
    /// Returns the status.
    public func summary(on call: Call) -> Event.Value {
        .code(status.code) { HTTP.Status($0).description }
    }

    /// Returns status and fields as the call's ``Call/redaction`` shows them, with the names of the OpenTelemetry HTTP
    /// conventions.
    public func attributes(on call: Call) -> Event.Attributes {
        var attributes: Event.Attributes = ["http.response.status_code": .number(status.code)]
        attributes["http.response.body.size"] = body.length.map { .number($0) }
        headers.add("http.response", call.redaction, call.credentialFields, to: &attributes)
        return attributes
    }
}

/// The facts of requests and responses, with their types. Each is `nil` where an event does not state it.
extension Event.Attributes {
    /// `http.request.method`: the request's method.
    public var requestMethod: String? { self["http.request.method"]?.text }
    /// `url.full`: the request's URL without its secrets.
    public var requestURL: String? { self["url.full"]?.text }
    /// `http.request.body.size`: the length of the request's body in bytes.
    public var requestBodySize: Int? { self["http.request.body.size"]?.number }
    /// `http.response.status_code`: the response's status.
    public var statusCode: Int? { self["http.response.status_code"]?.number }
    /// `http.response.body.size`: the length of the response's body in bytes.
    public var responseBodySize: Int? { self["http.response.body.size"]?.number }
}

extension HTTP.Headers {
    fileprivate func add(
        _ message: String,
        _ redaction: Redaction,
        _ credentialFields: [String],
        to attributes: inout Event.Attributes
    ) {
        for field in redaction.headers(self, hiding: credentialFields) {
            let key = "\(message).header.\(field.name.lowercased())"
            if case .text(let value)? = attributes[key] {
                attributes[key] = .text("\(value), \(field.value)")
            } else {
                attributes[key] = .text(field.value)
            }
        }
    }
}
