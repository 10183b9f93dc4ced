/// A message in the form that signatures are made over (RFC 9421): what signers and verifiers share.
public struct SignableMessage: Sendable {
    enum Kind: Sendable {
        case request(HTTP.Request, target: String?)
        case response(HTTP.Response, to: HTTP.Request?)
    }

    let kind: Kind

    /// A request.
    /// - Parameters:
    ///   - request: With a complete URL.
    ///   - target: What stands in its first line, for ``MessageComponent/requestTarget``. Defaults to
    ///     the path and query, and for CONNECT to host and port.
    public static func request(_ request: HTTP.Request, target: String? = nil) -> SignableMessage {
        SignableMessage(kind: .request(request, target: target))
    }

    /// A response.
    /// - Parameters:
    ///   - response: The response.
    ///   - request: What it answers, for ``MessageComponent/ofRequest``. Defaults to the response's own
    ///     `request`.
    public static func response(
        _ response: HTTP.Response,
        to request: HTTP.Request? = nil
    ) -> SignableMessage {
        SignableMessage(kind: .response(response, to: request ?? response.request))
    }

    /// What the signature is made over (RFC 9421 section 2.5).
    /// - Parameter parameters: What is covered, in order, and what else is said.
    /// - Throws: ``SigningError`` for a component that is missing, that cannot be covered, or that is
    ///   listed twice.
    public func signatureBase(_ parameters: SignatureParameters) throws(SigningError) -> String {
        var text = ""
        var seen: Set<MessageComponent> = []
        for component in parameters.components {
            guard seen.insert(component).inserted else {
                throw .invalidComponent(component.description, "It is listed twice.")
            }
            text += "\(component): \(try value(of: component))\n"
        }
        return text + "\"@signature-params\": \(try parameters.serialized())"
    }

    /// The canonical value of a component.
    /// - Throws: ``SigningError`` for one that is missing or cannot be covered.
    public func value(of component: MessageComponent) throws(SigningError) -> String {
        try component.validate()
        let part = try part(for: component)
        let value =
            component.isDerived ? try part.derived(component) : try part.field(component)
        guard value.utf8.allSatisfy({ 0x20...0x7E ~= $0 || $0 == 0x09 }) else {
            throw .invalidComponent(
                component.description,
                "Its value has characters beyond printable ASCII; cover its bytes instead (bs)."
            )
        }
        return value
    }

    /// Whether the message has what a component stands for.
    func has(_ component: MessageComponent) -> Bool {
        guard let part = try? part(for: component) else { return false }
        return component.isDerived
            ? (try? part.derived(component)) != nil : part.hasField(component)
    }

    private func part(for component: MessageComponent) throws(SigningError) -> MessagePart {
        switch kind {
        case .request(let request, let target):
            guard !component.has("req") else {
                throw .invalidComponent(
                    component.description,
                    "Only responses have a request to refer to."
                )
            }
            return .request(request, target: target)
        case .response(let response, let request):
            guard component.has("req") else { return .response(response) }
            guard let request else {
                throw .missing(component, "The response does not say which request it answers.")
            }
            return .request(request, target: nil)
        }
    }

    var headers: HTTP.Headers {
        switch kind {
        case .request(let request, _): request.headers
        case .response(let response, _): response.headers
        }
    }

    var body: HTTP.Body {
        switch kind {
        case .request(let request, _): request.body
        case .response(let response, _): response.body
        }
    }
}
