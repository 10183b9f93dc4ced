#if ServiceLifecycle
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitServiceLifecycle
import ServiceLifecycle
import ServiceLifecycleTestKit
import Synchronization

/// A transport from a closure.
struct Server: Transport {
    let reply: @Sendable (HTTP.Request, Call) async throws -> HTTP.Response

    func send(_ request: HTTP.Request, call: Call) async throws -> HTTP.Response {
        try await reply(request, call)
    }
}

/// A transport that answers after a time.
func answers(_ status: HTTP.Status = 200, after time: Duration) -> Server {
    Server { _, call in
        try await call.runtime.sleep(for: time)
        return HTTP.Response(status)
    }
}

let orders: HTTP.URL = "https://api.example.com/orders"

/// Runs a service as a group does, and something beside it.
/// - Parameter body: Is handed what begins the graceful shutdown.
func running<Output: Sendable>(
    _ service: some Service,
    _ body: @escaping @Sendable (_ shutDown: @Sendable () -> Void) async throws -> Output
) async throws -> Output {
    try await testGracefulShutdown { trigger in
        async let ended: Void = service.run()
        let output = try await body { trigger.triggerGracefulShutdown() }
        try await ended
        return output
    }
}
/// A value that closures share.
final class Box<Value: Sendable>: Sendable {
    private let state: Lock<Value>

    init(_ value: Value) { state = Lock(value) }

    var value: Value {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
#endif
