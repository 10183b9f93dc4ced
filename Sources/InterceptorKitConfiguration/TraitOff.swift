#if !Configuration
/// A client whose settings can be replaced while it is in use. Requires the trait `Configuration`.
@available(
    *,
    unavailable,
    message: "Switch on the trait Configuration: .package(…, traits: [\"Configuration\"])"
)
public final class ReloadableClient {
    /// Unavailable without the trait.
    public init() {}
}
#endif
