/// The message that a component is taken from: the one that is signed, or the request it answers.
enum MessagePart {
    case request(HTTP.Request, target: String?)
    case response(HTTP.Response)

    func hasField(_ component: MessageComponent) -> Bool {
        fields(component).contains(component.name) || implied(component) != nil
    }

    func writeField(
        _ component: MessageComponent,
        to text: inout CanonicalText
    ) throws(SigningError) {
        guard component.parameters.isEmpty else {
            return text.append(try rewritten(component))
        }
        var isFound = false
        for field in fields(component) where HTTP.isSameName(field.name, component.name) {
            if isFound { text.append(", ") }
            text.append(field.value)
            isFound = true
        }
        if isFound { return }
        guard let value = implied(component) else { throw .missing(component) }
        text.append(value)
    }

    /// The value in one of the forms that parameters ask for.
    private func rewritten(_ component: MessageComponent) throws(SigningError) -> String {
        var lines = fields(component).values(component.name)
        if lines.isEmpty, let value = implied(component) { lines = [value] }
        guard !lines.isEmpty else { throw .missing(component) }
        if component.has("bs") {
            return lines.map { ":\(Base64.encode(Array($0.utf8))):" }.joined(separator: ", ")
        }
        let text = lines.joined(separator: ", ")
        if let key = component.parameters["key"]?.string {
            return try StructuredRewriting.member(key, of: text, component)
        }
        return component.has("sf") ? try StructuredRewriting.field(text, component) : text
    }

    private func fields(_ component: MessageComponent) -> HTTP.Headers {
        let isTrailer = component.has("tr")
        return switch self {
        case .response(let response): (isTrailer ? response.trailers : response.headers) ?? [:]
        case .request(let request, _): (isTrailer ? request.body.trailers : request.headers) ?? [:]
        }
    }

    /// Host and Content-Length, which the transport says where the request does not.
    private func implied(_ component: MessageComponent) -> String? {
        guard case .request(let request, _) = self, !component.has("tr") else { return nil }
        switch component.name {
        case "host":
            return request.url.origin?.authority
        case "content-length":
            guard let length = request.body.length, length > 0 else { return nil }
            return "\(length)"
        default:
            return nil
        }
    }
}
