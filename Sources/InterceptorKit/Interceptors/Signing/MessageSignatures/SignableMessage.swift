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
        let serialized = try parameters.serialized()
        let base = try SignatureBase.bytes(of: self, parameters, serialized: serialized)
        return String(decoding: base, as: UTF8.self)
    }

    /// The canonical value of a component.
    /// - Throws: ``SigningError`` for one that is missing or cannot be covered.
    public func value(of component: MessageComponent) throws(SigningError) -> String {
        try SignatureBase.value(of: component, in: self)
    }

    /// Whether the message has what a component stands for.
    func has(_ component: MessageComponent) -> Bool {
        guard !component.isDerived else { return (try? value(of: component)) != nil }
        let part = component.has("req") ? answered : own
        return part?.hasField(component) ?? false
    }

    var own: MessagePart {
        switch kind {
        case .request(let request, let target): .request(request, target: target)
        case .response(let response, _): .response(response)
        }
    }

    /// The request that a response answers, if it is known.
    var answered: MessagePart? {
        guard case .response(_, let request?) = kind else { return nil }
        return .request(request, target: nil)
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
