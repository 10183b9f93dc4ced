#if !Configuration
/// A client whose settings are replaced while it is used, once the trait is switched on.
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
