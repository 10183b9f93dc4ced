#if Hummingbird
import HTTPTypes
import Hummingbird
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitHTTPTypes
import Synchronization

/// The way of one request through a chain to the rest of the router, and back.
final class RequestBridge<Context: RequestContext>: RequestBridging {
    private struct State {
        var rest: Rest<Context>?
        var isSending = false
        var hasFailed = false
        var handlerHead: HandlerResponseHead?
        var closing: CheckedContinuation<Void, Never>?
    }

    private let request: Request
    private let head: ReceivedHead
    private let context: Context
    private let serving: Serving?
    private let closeWatcher: ConnectionCloseWatcher?
    private let state = Lock(State())

    init(
        _ request: Request,
        _ head: ReceivedHead,
        _ context: Context,
        _ serving: Serving?,
        _ closeWatcher: ConnectionCloseWatcher?
    ) {
        self.request = request
        self.head = head
        self.context = context
        self.serving = serving
        self.closeWatcher = closeWatcher
    }

    func begin(_ call: Call, _ received: HTTP.Request) -> Call {
        var call = call
        if let traceContext = HTTP.TraceContext(received.headers) {
            call.traceContext = traceContext
        }
        return call.withValue(self, for: CurrentBridge.self)
    }

    func open(_ next: @escaping Rest<Context>.Next) {
        state.withLock { $0.rest = Rest(next: next) }
    }

    /// Admits no more requests, and waits until none is in flight: usually at once, because a chain ends the work it
    /// began.
    func close() async {
        if close(nil) { return }
        await withCheckedContinuation { continuation in
            if close(continuation) { continuation.resume() }
        }
    }

    private func close(_ continuation: CheckedContinuation<Void, Never>?) -> Bool {
        state.withLock { state in
            if state.isSending { state.closing = continuation } else { state.rest = nil }
            return !state.isSending
        }
    }

    func send(_ input: HTTP.Request, call: Call) async throws -> HTTP.Response {
        try begin()
        defer { end() }
        return try await pass(input, call)
    }

    private func begin() throws(RequestBridgeError) {
        let problem: RequestBridgeError? = state.withLock { state in
            if state.closing != nil || state.rest == nil { return .alreadyResponded }
            if state.isSending { return .concurrent }
            state.isSending = true
            return nil
        }
        if let problem { throw problem }
    }

    private func end() {
        let closing = state.withLock { state in
            state.isSending = false
            if state.closing != nil { state.rest = nil }
            return state.closing.take()
        }
        closing?.resume()
    }

    // A separate frame, so that no reference to `next` outlives it.
    @inline(never)
    private func pass(_ input: HTTP.Request, _ call: Call) async throws -> HTTP.Response {
        // A closure, because a key path in a generic type is built again at each use.
        guard let rest = state.withLock({ $0.rest }) else {
            throw RequestBridgeError.alreadyResponded
        }
        let request = try forwarded(input)
        let context = forwarded(call)
        let response: Response
        do {
            response = try await call.serve {
                try await rest.next(request, context)
            }
        } catch let error as any HTTPResponseError {
            response = try error.response(from: request, context: context)
        } catch {
            state.withLock { $0.hasFailed = true }
            throw error
        }
        let head = try HandlerResponseHead(response.head)
        state.withLock { $0.handlerHead = head }
        return head.response(to: input, with: WrittenBody.content(of: response, on: call.runtime))
    }

    private func forwarded(_ input: HTTP.Request) throws -> Request {
        var forwarded =
            head.isHead(of: input)
            ? request : Request(head: try HTTPRequest(input), body: request.body)
        // Set last, so that the server still finds the connection's own body. A handler gets none of that body which
        // the chain did not pass on.
        if input.body.takeUnreadStream(as: ReceivedBody.self) == nil {
            forwarded.body = RequestBody(input.body)
        }
        return forwarded
    }

    private func forwarded(_ call: Call) -> Context {
        guard serving != nil, var changed = context as? any ServingRequestContext else {
            return context
        }
        changed.serving.call = call
        return changed as? Context ?? context
    }

    /// Converts the result of the chain to the caller's response.
    func response(
        for result: Result<HTTP.Response, any Error>,
        passesOverload: Bool
    ) throws -> Response {
        let (handlerHead, hasFailed) = state.withLock { ($0.handlerHead, $0.hasFailed) }
        let response: HTTP.Response
        switch result {
        case .success(let output):
            response = output
        case .failure(let error):
            let fallback = HTTP.Response(
                answering: error,
                ofAnotherService: hasFailed,
                passesOverload: passesOverload
            )
            guard let fallback else { throw error }
            response = fallback
        }
        let head = try handlerHead?.head(of: response) ?? HTTPResponse(response)
        return Response(head, response, to: request.method, serving, closeWatcher)
    }
}

struct Rest<Context>: @unchecked Sendable {
    typealias Next = @concurrent (Request, Context) async throws -> Response

    // Invariant behind `@unchecked Sendable`: a pass lets one send at a time call it, and the middleware that was given
    // it waits until none does.
    let next: Next
}

protocol RequestBridging: Sendable {
    nonisolated(nonsending) func send(_ input: HTTP.Request, call: Call) async throws
        -> HTTP.Response
}

enum CurrentBridge: CallKey {
    static let defaultValue: (any RequestBridging)? = nil
}

/// The transport at the end of a serving chain: sends through the bridge of the call.
struct RouterTransport: Transport {
    func send(_ input: HTTP.Request, call: Call) async throws -> HTTP.Response {
        guard let bridge = call[CurrentBridge.self] else {
            throw RequestBridgeError.alreadyResponded
        }
        return try await bridge.send(input, call: call)
    }
}

/// The error of an interceptor that proceeds when the serving side cannot.
struct RequestBridgeError: Error, CustomStringConvertible {
    let description: String

    static let alreadyResponded = RequestBridgeError(
        description: "An interceptor proceeded after the request was answered. On the serving side "
            + "nothing runs after the response; do it before, or send it with a client."
    )
    static let concurrent = RequestBridgeError(
        description:
            "An interceptor proceeded twice side by side, as a hedge does. A handler serves "
            + "a request once at a time; proceed one after the other."
    )
}
#endif
