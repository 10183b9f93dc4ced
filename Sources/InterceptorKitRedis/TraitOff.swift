#if !Redis
/// A connection to a Redis or Valkey server, available with the trait `Redis`.
@available(
    *,
    unavailable,
    message: "Switch on the trait Redis: .package(…, traits: [\"Redis\"])"
)
public struct RedisClient {
    /// Unavailable without the trait.
    public init() {}
}
#endif
