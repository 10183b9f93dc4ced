#if !Hummingbird
/// Serves requests through a chain. Requires the trait `Hummingbird`.
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
