#if ServiceLifecycle
import ServiceLifecycle

/// Returns on graceful shutdown of the service group, or when the task is cancelled.
nonisolated(nonsending) func shutdown(_ whenItBegins: @escaping @Sendable () -> Void = {}) async {
    let (end, continuation) = AsyncStream<Never>.makeStream()
    await withTaskCancellationOrGracefulShutdownHandler {
        for await _ in end {}
    } onCancelOrGracefulShutdown: {
        whenItBegins()
        continuation.finish()
    }
}
#endif
