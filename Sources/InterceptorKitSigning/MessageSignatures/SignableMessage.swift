public import InterceptorKit

/// A message to sign or verify by RFC 9421.
public struct SignableMessage: Sendable {
    let own: MessagePart
    /// The request that led to a response, if it is known.
    let request: MessagePart?

    /// Creates a message from a request.
    /// - Parameters:
    ///   - request: The request, with a complete URL.
    ///   - target: The request target, for ``MessageComponent/requestTarget``. Defaults to path and query, and for
    ///     CONNECT to host and port.
    public static func request(_ request: HTTP.Request, target: String? = nil) -> SignableMessage {
        SignableMessage(own: MessagePart(request, target: target), request: nil)
    }

    /// Creates a message from a response.
    /// - Parameters:
    ///   - response: The response.
    ///   - request: The request that led to the response, for ``MessageComponent/ofRequest``. Defaults to the
    ///     response's own `request`.
    public static func response(
        _ response: HTTP.Response,
        to request: HTTP.Request? = nil
    ) -> SignableMessage {
        SignableMessage(
            own: MessagePart(response),
            request: (request ?? response.request).map { MessagePart($0) }
        )
    }

    /// Returns the signature base: the text that a signature is computed over (RFC 9421 section 2.5).
    /// - Parameter parameters: The covered components, in order, and the other parameters.
    /// - Throws: `SigningError` for a component that is missing, that cannot be covered, or that is listed twice.
    public func signatureBase(_ parameters: SignatureParameters) throws(SigningError) -> String {
        String(decoding: try SignatureBase(of: self, parameters).bytes, as: UTF8.self)
    }

    /// Returns the canonical value of a component.
    /// - Throws: `SigningError` for a component that is missing or cannot be covered.
    public func value(of component: MessageComponent) throws(SigningError) -> String {
        try SignatureBase.value(of: component, in: self)
    }

    /// Whether the message has a value for a component.
    func has(_ component: MessageComponent) -> Bool {
        guard !component.isDerived else { return (try? value(of: component)) != nil }
        let part = component.has("req") ? request : own
        return part?.hasField(component) ?? false
    }

    var headers: HTTP.Headers { own.headers }

    var body: HTTP.Body { own.body }
}
