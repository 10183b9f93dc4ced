#if !JWT
/// Verifies access tokens on a server. Requires the trait `JWT`.
@available(
    *,
    unavailable,
    message: "Switch on the trait JWT: .package(…, traits: [\"JWT\"])"
)
public struct BearerTokenInterceptor {
    /// Unavailable without the trait.
    public init() {}
}
#endif
