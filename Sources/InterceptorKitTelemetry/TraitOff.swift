#if !Tracing
/// One span for a call, once the trait is switched on.
@available(
    *,
    unavailable,
    message: "Switch on the trait Tracing: .package(…, traits: [\"Tracing\"])"
)
public struct CallTracingInterceptor {
    /// Unavailable without the trait.
    public init() {}
}

/// One span for each attempt, once the trait is switched on.
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
/// Measures sends and counts decisions, once the trait is switched on.
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
/// Writes log lines of calls, once the trait is switched on.
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
