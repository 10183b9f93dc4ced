#if !Tracing
/// Records one span for a call. Requires the trait `Tracing`.
@available(
    *,
    unavailable,
    message: "Switch on the trait Tracing: .package(…, traits: [\"Tracing\"])"
)
public struct CallTracingInterceptor {
    /// Unavailable without the trait.
    public init() {}
}

/// Records one span for each attempt. Requires the trait `Tracing`.
@available(
    *,
    unavailable,
    message: "Switch on the trait Tracing: .package(…, traits: [\"Tracing\"])"
)
public struct AttemptTracingInterceptor {
    /// Unavailable without the trait.
    public init() {}
}
#endif

#if !Metrics
/// Measures sends and counts decisions. Requires the trait `Metrics`.
@available(
    *,
    unavailable,
    message: "Switch on the trait Metrics: .package(…, traits: [\"Metrics\"])"
)
public final class MetricsEventSink {
    /// Unavailable without the trait.
    public init() {}
}
#endif

#if !Logging
/// Writes log lines of calls. Requires the trait `Logging`.
@available(
    *,
    unavailable,
    message: "Switch on the trait Logging: .package(…, traits: [\"Logging\"])"
)
public final class LoggingEventSink {
    /// Unavailable without the trait.
    public init() {}
}
#endif
