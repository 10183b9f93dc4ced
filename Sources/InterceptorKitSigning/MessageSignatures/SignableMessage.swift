public import InterceptorKit

/// A message in the form that signatures are made over (RFC 9421): what signers and verifiers share.
public struct SignableMessage: Sendable {
    let own: MessagePart
    /// The request that a response answers, if it is known.
    let answered: MessagePart?

    /// A request.
    /// - Parameters:
    ///   - request: With a complete URL.
    ///   - target: What stands in its first line, for ``MessageComponent/requestTarget``. Defaults to
    ///     the path and query, and for CONNECT to host and port.
    public static func request(_ request: HTTP.Request, target: String? = nil) -> SignableMessage {
        SignableMessage(own: MessagePart(request, target: target), answered: nil)
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
        SignableMessage(
            own: MessagePart(response),
            answered: (request ?? response.request).map { MessagePart($0) }
        )
    }

    /// What the signature is made over (RFC 9421 section 2.5).
    /// - Parameter parameters: What is covered, in order, and what else is said.
    /// - Throws: `SigningError` for a component that is missing, that cannot be covered, or that is
    ///   listed twice.
    public func signatureBase(_ parameters: SignatureParameters) throws(SigningError) -> String {
        String(decoding: try SignatureBase(of: self, parameters).bytes, as: UTF8.self)
    }

    /// The canonical value of a component.
    /// - Throws: `SigningError` for one that is missing or cannot be covered.
    public func value(of component: MessageComponent) throws(SigningError) -> String {
        try SignatureBase.value(of: component, in: self)
    }

    /// Whether the message has what a component stands for.
    func has(_ component: MessageComponent) -> Bool {
        guard !component.isDerived else { return (try? value(of: component)) != nil }
        let part = component.has("req") ? answered : own
        return part?.hasField(component) ?? false
    }

    var headers: HTTP.Headers { own.headers }

    var body: HTTP.Body { own.body }
}
