/// The message that a component is taken from: the one that is signed, or the request it answers.
enum MessagePart {
    case request(HTTP.Request, target: String?)
    case response(HTTP.Response)

    func derived(_ component: MessageComponent) throws(SigningError) -> String {
        switch self {
        case .response(let response):
            guard component.name == "@status" else {
                throw .invalidComponent(
                    component.description,
                    "A response has no other derived component than @status; that of its request has "
                        + "the parameter req."
                )
            }
            return "\(response.status.code)"
        case .request(let request, let target):
            if component.name == "@method" { return request.method.rawValue }
            guard request.url.origin != nil else {
                throw .missing(component, "The request's URL has no scheme and host.")
            }
            let line = RequestLine(request, target: target)
            switch component.name {
            case "@target-uri": return line.targetURI
            case "@authority": return line.authority
            case "@scheme": return line.scheme
            case "@request-target": return line.target
            case "@path": return line.path
            case "@query": return "?\(line.query)"
            case "@query-param": return try line.parameter(component)
            default:
                throw .invalidComponent(component.description, "A request does not have it.")
            }
        }
    }

    func hasField(_ component: MessageComponent) -> Bool { !lines(component).isEmpty }

    func field(_ component: MessageComponent) throws(SigningError) -> String {
        let lines = lines(component)
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

    // Host and Content-Length are said by the transport where the request does not.
    private func lines(_ component: MessageComponent) -> [String] {
        let isTrailer = component.has("tr")
        switch self {
        case .response(let response):
            return (isTrailer ? response.trailers : response.headers)?.values(component.name) ?? []
        case .request(let request, _):
            let fields = isTrailer ? request.body.trailers : request.headers
            let lines = fields?.values(component.name) ?? []
            guard lines.isEmpty, !isTrailer else { return lines }
            switch component.name {
            case "host":
                return request.url.origin.map { [$0.authority] } ?? []
            case "content-length":
                guard let length = request.body.length, length > 0 else { return [] }
                return ["\(length)"]
            default:
                return []
            }
        }
    }
}

/// What a request's first line and `Host` field come to (RFC 9421 section 2.2).
struct RequestLine {
    let scheme: String
    let authority: String
    let path: String
    let query: String
    let target: String
    private let hasQuery: Bool

    init(_ request: HTTP.Request, target: String?) {
        let url = request.url
        scheme = url.scheme ?? ""
        let host = request.headers["Host"]?.lowercased()
        let ending = scheme == "https" ? ":443" : ":80"
        let named = host.map { $0.hasSuffix(ending) ? String($0.dropLast(ending.count)) : $0 }
        authority = named ?? url.origin?.authority ?? ""
        path = url.path.isEmpty ? "/" : url.path
        query = url.query ?? ""
        hasQuery = url.query != nil
        let port = url.origin?.port ?? 0
        let usual =
            request.method.rawValue == "CONNECT" ? "\(url.host ?? ""):\(port)" : url.requestTarget
        self.target = target ?? usual
    }

    var targetURI: String {
        "\(scheme)://\(authority)\(path)\(hasQuery ? "?\(query)" : "")"
    }

    func parameter(_ component: MessageComponent) throws(SigningError) -> String {
        let name = component.parameters["name"]?.string ?? ""
        let found = FormEncoding.parameters(of: query).filter { $0.name == name }
        guard let first = found.first else { throw .missing(component) }
        guard found.count == 1 else {
            throw .invalidComponent(
                component.description,
                "The query has it more than once; cover @query instead."
            )
        }
        return first.value
    }
}
