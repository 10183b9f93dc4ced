public import InterceptorKit
import InterceptorKitConcurrency

/// A real HTTP/1.1 server on 127.0.0.1 for tests and demos: it answers as told, also wrongly.
///
/// ```swift
/// let server = try LoopbackServer.start { request in
///     request.path == "/slow" ? .text("late").delayed(by: .milliseconds(50)) : .stalled
/// }
/// defer { server.stop() }
/// ```
///
/// Connections are kept alive and pipelined requests answered in order. A request is checked
/// strictly; one that is malformed is answered with a status that says why, and never reaches the
/// handler. A client that finishes sending is taken to have gone: its connection closes and the
/// handler of its request is cancelled.
///
/// Delays are real time. The server stops when it is no longer referred to; stopping it by hand
/// makes sure of when.
public final class LoopbackServer: Sendable {
    /// The port the server listens on.
    public let port: Int

    let inbox: Inbox
    let log = ServerLog()

    /// Starts a server.
    /// - Parameters:
    ///   - options: Limits and habits. Defaults to those for tests.
    ///   - handler: Answers a request, each in a task of its own, several at once if there are several
    ///     connections. Runs on the server's thread, so it may wait but not block. Cancelled when the
    ///     client goes or the server stops.
    /// - Throws: ``LoopbackServerError`` if no socket or thread can be had.
    public static func start(
        options: Options = Options(),
        _ handler: @escaping @Sendable (Request) async -> Reply
    ) throws(LoopbackServerError) -> LoopbackServer {
        try LoopbackServer(options, handler)
    }

    /// Starts a server that gives replies in the order of the requests' arrival.
    /// - Parameters:
    ///   - script: The replies. A request beyond them is answered with 500 and a text that says so.
    ///   - options: Limits and habits. Defaults to those for tests.
    /// - Throws: ``LoopbackServerError`` if no socket or thread can be had or a reply has a negative
    ///   duration.
    public static func start(
        script: [Reply],
        options: Options = Options()
    ) throws(LoopbackServerError) -> LoopbackServer {
        for (index, reply) in script.enumerated() {
            guard let problem = reply.durationProblem else { continue }
            throw LoopbackServerError(
                .invalidDuration,
                "Reply \(index + 1) of the script cannot be given. \(problem)"
            )
        }
        return try start(options: options) { request in
            guard script.indices.contains(request.number - 1) else {
                let text =
                    "The script of \(script.count) replies ran dry at request \(request.number)."
                return .text(text, status: 500)
            }
            return script[request.number - 1]
        }
    }

    private init(
        _ options: Options,
        _ handler: @escaping @Sendable (Request) async -> Reply
    ) throws(LoopbackServerError) {
        let listener = try Descriptor.listening(port: options.port)
        port = listener.localPort
        let pair = try Descriptor.pair()
        inbox = Inbox(wake: pair.near)
        let loop = EventLoop(
            listener: listener,
            wake: pair.far,
            inbox: inbox,
            log: log,
            options: options,
            handler: handler
        )
        if let number = EventThread.start({ loop.run() }) {
            throw .failed("No thread could be started", number)
        }
        LeakLedger.watch(self)
    }

    deinit { stop() }

    /// Where the server is, as in `http://127.0.0.1:49152`.
    public var origin: HTTP.Origin { HTTP.Origin(scheme: "http", host: "127.0.0.1", port: port) }

    /// The URL of a path on this server, with a query if it has one.
    public func url(_ path: String) -> HTTP.URL {
        HTTP.URL("\(origin)\(raw: path.hasPrefix("/") ? "" : "/")\(raw: path)")
    }

    /// The requests received so far, whole ones, in the order of their arrival.
    public var requests: [Request] { log.facts.requests }

    /// How many connections have been accepted so far.
    public var connectionCount: Int { log.facts.connectionCount }

    /// How many connections are open now.
    public var openConnections: Int { log.facts.openConnections }

    /// Closes every connection, cancels every handler, and returns when all sockets are closed.
    ///
    /// Does nothing the second time. What was received can still be read.
    public func stop() { inbox.stop() }
}
