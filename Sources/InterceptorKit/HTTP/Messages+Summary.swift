extension HTTP.Request: Summarizable {
    /// The method and the URL without its secrets.
    public var summary: String { "\(method) \(Redaction.standard.url(url.text))" }

    /// Method, URL and fields as the call's sink may see them, by the names of the OpenTelemetry HTTP
    /// conventions; a field that comes more than once is joined by commas (RFC 9110 section 5.3).
    public func attributes(on call: Call) -> [String: Event.Value] {
        let redaction = call.events?.redaction ?? .standard
        var attributes = headers.attributes("http.request", redaction, call.credentialFields)
        attributes["http.request.method"] = .text(method.rawValue)
        attributes["url.full"] = .text(redaction.url(url.text))
        if let length = body.length { attributes["http.request.body.size"] = .number(length) }
        return attributes
    }
}

extension HTTP.Response: Summarizable {
    /// The status.
    public var summary: String { status.description }

    /// Status and fields as the call's sink may see them, by the names of the OpenTelemetry HTTP
    /// conventions.
    public func attributes(on call: Call) -> [String: Event.Value] {
        let redaction = call.events?.redaction ?? .standard
        var attributes = headers.attributes("http.response", redaction, call.credentialFields)
        attributes["http.response.status_code"] = .number(status.code)
        if let length = body.length { attributes["http.response.body.size"] = .number(length) }
        return attributes
    }
}

extension HTTP.Headers {
    fileprivate func attributes(
        _ message: String,
        _ redaction: Redaction,
        _ credentialFields: [String]
    ) -> [String: Event.Value] {
        redaction.headers(self, hiding: credentialFields).reduce(into: [:]) { attributes, field in
            let key = "\(message).header.\(field.name.lowercased())"
            if case .text(let value)? = attributes[key] {
                attributes[key] = .text("\(value), \(field.value)")
            } else {
                attributes[key] = .text(field.value)
            }
        }
    }
}
