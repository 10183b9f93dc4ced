import HTTPTypes
import OpenAPIRuntime
import Synchronization

/// What follows a middleware, and nothing of it goes on after the middleware's call.
final class Following<Context: Sendable>: Sendable {
    typealias Reply = (HTTPResponse, HTTPBody?)
    typealias Next = @Sendable (HTTPRequest, HTTPBody?, Context) async throws -> Reply

    private struct State {
        var next: Next?
        var begun = 0
        var tasks: [Int: Task<Reply, any Error>] = [:]
    }

    /// What the middleware was given with the request: a client's base URL, or the path parameters of a server.
    let context: Context
    private let state: Mutex<State>

    init(_ next: @escaping Next, _ context: Context) {
        self.context = context
        state = Mutex(State(next: next))
    }

    /// Cancels what interceptors have left under way, such as a revalidation, and waits for its end.
    func end() async {
        state.withLock { $0.next = nil }
        let tasks = state.withLock { $0.tasks.values.map(\.self) }
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
    }

    func send(_ request: HTTPRequest, _ body: HTTPBody?, _ context: Context) async throws -> Reply {
        let (number, task) = try state.withLock { state in
            guard let next = state.next else { throw CancellationError() }
            let task = Task { try await next(request, body, context) }
            state.begun += 1
            state.tasks[state.begun] = task
            return (state.begun, task)
        }
        defer { state.withLock { $0.tasks[number] = nil } }
        return try await withTaskCancellationHandler(operation: { try await task.value }) {
            task.cancel()
        }
    }
}
