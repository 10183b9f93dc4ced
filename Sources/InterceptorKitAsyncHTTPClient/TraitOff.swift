#if !AsyncHTTPClient
/// Sends HTTP requests with AsyncHTTPClient, once the trait is switched on.
@available(
    *,
    unavailable,
    message: "Switch on the trait AsyncHTTPClient: .package(…, traits: [\"AsyncHTTPClient\"])"
)
public struct AsyncHTTPClientTransport {
    /// Unavailable without the trait.
    public init() {}
}
#endif
