#if !Hummingbird
/// Serves through a chain, once the trait is switched on.
@available(
    *,
    unavailable,
    message: "Switch on the trait Hummingbird: .package(…, traits: [\"Hummingbird\"])"
)
public struct ChainMiddleware {
    /// Unavailable without the trait.
    public init() {}
}
#endif
