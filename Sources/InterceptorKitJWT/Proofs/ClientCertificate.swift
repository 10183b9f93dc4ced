#if JWT
public import InterceptorKit

/// Where a server finds the certificate that its client proved to have by mutual TLS, for tokens that are bound to one
/// (RFC 8705 section 3).
public struct ClientCertificate: Sendable {
    /// The certificate in DER; `nil` if the client has none.
    let der: @Sendable (HTTP.Request, Call) -> [UInt8]?

    /// Creates a source of certificates, such as the server's connection.
    /// - Parameter der: Returns the certificate's bytes in DER, as the TLS handshake verified it; `nil` if the client
    ///   showed none.
    public init(_ der: @escaping @Sendable (_ request: HTTP.Request, _ call: Call) -> [UInt8]?) {
        self.der = der
    }

    /// The certificate in the field `Client-Cert` (RFC 9440), which a proxy in front of the service adds.
    ///
    /// The proxy must remove this field from what callers send, and nobody else may reach the service: a certificate is
    /// public, so that anybody could name it in a field.
    public static let field = ClientCertificate { request, _ in
        guard request.headers.values("Client-Cert").count == 1,
            let item = try? request.headers.structuredItem("Client-Cert"),
            let bytes = item.value.bytes, !bytes.isEmpty
        else { return nil }
        return bytes
    }
}
#endif
