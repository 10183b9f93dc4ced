import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// A server of scripted connections, in the call's time.
final class Feed: Transport {
    /// What a connection sends, piece by piece.
    enum Piece: Sendable {
        case bytes(Data)
        case wait(Duration)
        case failure(any Error)
        /// Silence, until the reader goes.
        case stall

        static func text(_ text: String) -> Piece { .bytes(Data(text.utf8)) }
    }

    /// A response, or none.
    struct Reply: Sendable {
        var status: HTTP.Status = 200
        var headers: HTTP.Headers = ["Content-Type": "text/event-stream"]
        var pieces: [Piece] = []
        var failure: (any Error)?
        /// How long its head takes.
        var headDelay: Duration = .zero

        static func events(_ pieces: Piece...) -> Reply { Reply(pieces: pieces) }

        static func text(_ text: String) -> Reply { Reply(pieces: [.text(text)]) }

        static func status(
            _ status: HTTP.Status,
            _ headers: HTTP.Headers = [:],
            _ body: String = ""
        )
            -> Reply
        {
            Reply(status: status, headers: headers, pieces: body.isEmpty ? [] : [.text(body)])
        }

        static func failure(_ error: any Error) -> Reply { Reply(failure: error) }

        /// No events, and no more connections.
        static let noContent = status(204)
    }

    private struct State {
        var requests: [(request: HTTP.Request, at: Duration)] = []
        var open = 0
    }

    private let reply: @Sendable (HTTP.Request, _ number: Int) -> Reply
    private let state = Lock(State())

    /// - Parameter reply: What a request gets, of which the first has the number 1.
    init(_ reply: @escaping @Sendable (HTTP.Request, _ number: Int) -> Reply) {
        self.reply = reply
    }

    /// - Parameter replies: One for each request; then 204.
    convenience init(_ replies: Reply...) {
        self.init { _, number in number <= replies.count ? replies[number - 1] : .noContent }
    }

    var requests: [HTTP.Request] { state.withLock { $0.requests.map(\.request) } }
    /// When each connection began.
    var times: [Duration] { state.withLock { $0.requests.map(\.at) } }
    var lastEventIDs: [String?] { requests.map { $0.headers["Last-Event-ID"] } }
    /// The connections whose body is neither at its end nor released.
    var open: Int { state.withLock(\.open) }

    nonisolated(nonsending) func send(
        _ request: HTTP.Request,
        call: Call
    ) async throws -> HTTP.Response {
        let number = state.withLock { state in
            state.requests.append((request, call.runtime.now.offset))
            return state.requests.count
        }
        let reply = reply(request, number)
        if reply.headDelay > .zero { try await call.runtime.sleep(for: reply.headDelay) }
        if let failure = reply.failure { throw failure }
        state.withLock { $0.open += 1 }
        let stream = PieceStream(reply.pieces, call.runtime) { [weak self] in
            self?.state.withLock { $0.open -= 1 }
        }
        return HTTP.Response(
            reply.status,
            headers: reply.headers,
            body: .oneShot(stream),
            request: request
        )
    }
}

/// The body of a scripted connection.
private final class PieceStream: HTTP.BodyStream {
    private struct State {
        var pieces: [Feed.Piece]
        var isEnded = false
        var isCancelled = false
        var stalled: CheckedContinuation<Void, Never>?
    }

    private let state: Lock<State>
    private let runtime: Runtime
    private let end: @Sendable () -> Void

    init(_ pieces: [Feed.Piece], _ runtime: Runtime, _ end: @escaping @Sendable () -> Void) {
        state = Lock(State(pieces: pieces.reversed()))
        self.runtime = runtime
        self.end = end
    }

    deinit { cancel() }

    nonisolated(nonsending) func next() async throws -> Data? {
        while true {
            let (piece, isCancelled) = state.withLock { ($0.pieces.popLast(), $0.isCancelled) }
            if isCancelled { throw CancellationError() }
            switch piece {
            case .bytes(let bytes): return bytes
            case .wait(let time): try await sleep(time)
            case .failure(let error): throw error
            case .stall: try await sleep(.seconds(1_000_000))
            case nil:
                finish()
                return nil
            }
        }
    }

    // Until the time is over, the reader's task is cancelled, or the body is.
    private nonisolated(nonsending) func sleep(_ time: Duration) async throws {
        let timer = runtime.timer(at: runtime.now.advanced(by: time), "a piece of a feed") {
            [weak self] in
            self?.wake()
        }
        let wait = runtime.beginWait("waits for a feed")
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.isCancelled || Task.isCancelled { return true }
                    state.stalled = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            wake()
        }
        wait?.end()
        timer.cancel()
        try Task.checkCancellation()
        if state.withLock(\.isCancelled) { throw CancellationError() }
    }

    private func wake() { state.withLock { $0.stalled.take() }?.resume() }

    func cancel() {
        state.withLock { $0.isCancelled = true }
        wake()
        finish()
    }

    private func finish() {
        let isFirst = state.withLock { state in
            defer { state.isEnded = true }
            return !state.isEnded
        }
        if isFirst { end() }
    }
}
