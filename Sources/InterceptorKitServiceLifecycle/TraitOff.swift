#if !ServiceLifecycle
/// Ends a client's calls on graceful shutdown, once the trait is switched on.
@available(
    *,
    unavailable,
    message: "Switch on the trait ServiceLifecycle: .package(…, traits: [\"ServiceLifecycle\"])"
)
public struct ClientService {
    /// Unavailable without the trait.
    public init() {}
}

/// Runs a loop until graceful shutdown, once the trait is switched on.
@available(
    *,
    unavailable,
    message: "Switch on the trait ServiceLifecycle: .package(…, traits: [\"ServiceLifecycle\"])"
)
public struct BackgroundService {
    /// Unavailable without the trait.
    public init() {}
}
#endif
