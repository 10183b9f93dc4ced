#if !ServiceLifecycle
/// Ends a client's calls on graceful shutdown. Requires the trait `ServiceLifecycle`.
@available(
    *,
    unavailable,
    message: "Switch on the trait ServiceLifecycle: .package(…, traits: [\"ServiceLifecycle\"])"
)
public struct ClientService {
    /// Unavailable without the trait.
    public init() {}
}

/// Runs work until graceful shutdown. Requires the trait `ServiceLifecycle`.
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
