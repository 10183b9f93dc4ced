public import InterceptorKit

extension TemplateScheme {
    public func sign(_ request: HTTP.Request, _ context: SigningContext) throws -> HTTP.Request {
        var renderer = try prepared(request, context)
        renderer.signature = try code(for: renderer.bytes(of: stringToSign), renderer)
        try renderer.add(signature)
        return try renderer.finish()
    }

    /// Returns the text that a request's signature is computed over, with `<secret>` in place of the secret.
    /// - Throws: The errors of ``sign(_:_:)``.
    public func explain(
        _ request: HTTP.Request,
        _ context: SigningContext
    ) throws -> SignatureExplanation {
        var renderer = try prepared(request, context)
        renderer.secret = Array("<secret>".utf8)
        var canonicalRequest: String?
        for case .value(.hash(_, let template, _)) in stringToSign.pieces {
            canonicalRequest = String(decoding: try renderer.bytes(of: template), as: UTF8.self)
        }
        return SignatureExplanation(
            canonicalRequest: canonicalRequest,
            stringToSign: String(decoding: try renderer.bytes(of: stringToSign), as: UTF8.self)
        )
    }

    private func prepared(
        _ request: HTTP.Request,
        _ context: SigningContext
    ) throws -> TemplateRenderer {
        try validate()
        try context.key.validate()
        try request.url.validate()
        var renderer = try TemplateRenderer(request, context)
        for addition in additions { try renderer.add(addition) }
        if let problem = renderer.request.headers.problem { throw problem }
        return renderer
    }
}

extension TemplateRenderer {
    mutating func add(_ addition: TemplateScheme.Addition) throws {
        let bytes = try bytes(of: addition.template)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SigningError(
                .invalidScheme,
                "What the scheme puts into the request is not UTF-8, so it cannot be sent as it is. Put it "
                    + "into base64."
            )
        }
        // A parameter that is already there keeps its position, which the text to sign may depend on.
        if case .parameter(let name) = addition.place,
            request.queryPairs.filter({ $0.isNamed(name) }).map(\.value) == [bytes]
        {
            return
        }
        remove(addition.place)
        if text.isEmpty, addition.isOmittedWhenEmpty { return }
        switch addition.place {
        case .field(let name): request.headers[name] = text
        case .parameter(let name): request.url = request.url.appending(query: [name: text])
        case .form(let name): try appendToForm(name, text)
        case .element(let name, let field, let scheme):
            elements.append(HTTP.FormPair(name.utf8, bytes))
            list = (field, scheme)
        }
    }

    private func write(_ list: (field: String, scheme: String), to headers: inout HTTP.Headers) {
        var text = CanonicalWriter()
        text.append(list.scheme)
        for (index, element) in elements.enumerated() {
            text.append(index == 0 ? " " : ", ")
            text.appendEncoded(element.name)
            text.append("=\"")
            text.appendEncoded(element.value)
            text.append("\"" as Unicode.Scalar)
        }
        headers[list.field] = text.string
    }

    private mutating func appendToForm(_ name: String, _ value: String) throws {
        if request.body.isEmpty {
            request.headers["Content-Type"] = "application/x-www-form-urlencoded"
        }
        guard request.isForm else {
            throw SigningError(
                .unsignableBody,
                "The scheme puts \(name) into a form, and the content is none: its Content-Type is "
                    + "not application/x-www-form-urlencoded."
            )
        }
        var content = Array(try body())
        if !content.isEmpty { content.append(UInt8(ascii: "&")) }
        content += "\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value))".utf8
        request.body = .bytes(content)
        bodyHash = nil
    }

    func finish() throws -> HTTP.Request {
        var request = request
        if let list { write(list, to: &request.headers) }
        if let problem = request.headers.problem { throw problem }
        if request.headers.contains("Content-Length"), let length = request.body.length {
            request.headers["Content-Length"] = "\(length)"
        }
        return request
    }
}
