import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

/// Runs pipelines that somebody listens to.
enum ObservedRun {
    /// The activities of one call, indented as in ``activityOutline(_:)``.
    static func descriptor(
        _ interceptors: [any Interceptor<Int>],
        transport: Echo<Int> = Echo()
    ) async throws -> [String] {
        let sink = RecordingEventSink()
        _ = try await Pipeline(interceptors, transport: transport, events: sink).run(1)
        expectEqual(unmatchedActivities(sink.events), [])
        return activityOutline(sink.events)
    }

    /// An interceptor that only goes on.
    static func named(_ name: String) -> any Interceptor<Int> {
        AnyInterceptor<Int>(name) { try await $0.proceed() }
    }
}
