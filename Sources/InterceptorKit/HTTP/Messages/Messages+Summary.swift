extension HTTP.Request: Summarizable {
    /// Returns the method and the URL without its secrets.
    public func summary(on call: Call) -> Event.Value {
        .text("\(method) \(call.redaction.url(url.text))")
    }

    /// Returns method, URL and fields as the call's ``Call/redaction`` shows them, with the names of the OpenTelemetry
    /// HTTP conventions; repeated fields are joined by commas (RFC 9110 section 5.3).
    public func attributes(on call: Call) -> Event.Attributes {
        let redaction = call.redaction
        var attributes: Event.Attributes = ["http.request.method": .text(method.rawValue)]
        attributes["url.full"] = .text(redaction.url(url.text))
        if let length = body.length { attributes["http.request.body.size"] = .number(length) }
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
        if let length = body.length { attributes["http.response.body.size"] = .number(length) }
        headers.add("http.response", call.redaction, call.credentialFields, to: &attributes)
        return attributes
    }
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
