#if ServiceLifecycle
import ServiceLifecycle

/// Waits for graceful shutdown of the service group or cancellation of the task.
nonisolated(nonsending) func shutdown(_ onBegin: @escaping @Sendable () -> Void = {}) async {
    let (end, continuation) = AsyncStream<Never>.makeStream()
    await withTaskCancellationOrGracefulShutdownHandler {
        for await _ in end {}
    } onCancelOrGracefulShutdown: {
        onBegin()
        continuation.finish()
    }
}
#endif
