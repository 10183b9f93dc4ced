public import InterceptorKit
import InterceptorKitConcurrency

/// A real HTTP/1.1 server on 127.0.0.1 for tests and demos, with scripted responses, including incorrect ones.
///
/// ```swift
/// let server = try LoopbackServer { request in
///     request.path == "/slow" ? .text("late").delayed(by: .milliseconds(50)) : .stalled
/// }
/// defer { server.stop() }
/// ```
///
/// Connections are kept alive, and pipelined requests get their responses in order. Requests are checked strictly; a
/// malformed request gets an explanatory error status and never reaches the handler. A client that finishes sending
/// counts as gone: its connection closes, and the handler of its request is cancelled.
///
/// Delays are in real time. The server stops when it is released; call ``stop()`` to stop it earlier.
public final class LoopbackServer: Sendable {
    /// The port the server listens on.
    public let port: Int

    let inbox: Inbox
    let log = ServerLog()

    /// Starts a server.
    /// - Parameters:
    ///   - options: The settings. Defaults to those for tests.
    ///   - handler: Returns the reply to a request, in a separate task; several run at once if there are several
    ///     connections. It runs on the server's thread, so it may wait but not block. It is cancelled when the client
    ///     goes or the server stops.
    /// - Throws: ``TestKitError`` if no socket or thread is available.
    public init(
        options: Options = Options(),
        _ handler: @escaping @Sendable (Request) async -> Reply
    ) throws(TestKitError) {
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
        LeakRegistry.watch(self)
    }

    /// Starts a server that gives replies in the order in which requests arrive.
    /// - Parameters:
    ///   - script: The replies. Further requests get a 500 with an explanatory text.
    ///   - options: The settings. Defaults to those for tests.
    /// - Throws: ``TestKitError`` if no socket or thread is available, `SettingError` if a reply has a
    ///   negative duration.
    public convenience init(
        script: [Reply],
        options: Options = Options()
    ) throws {
        for (index, reply) in script.enumerated() {
            try reply.validate(as: "Reply \(index + 1)")
        }
        try self.init(options: options) { request in
            guard script.indices.contains(request.number - 1) else {
                let text =
                    "The script of \(script.count) replies ran dry at request \(request.number)."
                return .text(text, status: 500)
            }
            return script[request.number - 1]
        }
    }

    deinit { stop() }

    /// The server's origin, as in `http://127.0.0.1:49152`.
    public var origin: HTTP.Origin { HTTP.Origin(scheme: "http", host: "127.0.0.1", port: port) }

    /// Returns the URL of a path on this server, with a query if it has one.
    public func url(_ path: String) -> HTTP.URL {
        HTTP.URL("\(origin)\(raw: path.begins(with: "/") ? "" : "/")\(raw: path)")
    }

    /// The complete requests received so far, in the order in which they arrived.
    public var requests: [Request] { log.facts.requests }

    /// The number of connections accepted so far.
    public var connectionCount: Int { log.facts.connectionCount }

    /// The number of open connections.
    public var openConnections: Int { log.facts.openConnections }

    /// Closes every connection, cancels every handler, and returns when all sockets are closed.
    ///
    /// The second call does nothing. Received requests can still be read.
    public func stop() { inbox.stop() }
}

extension LoopbackServer: LeakChecked {
    /// The open connections.
    public var leaks: [String] {
        let count = openConnections
        return count == 0 ? [] : ["\(count) open connections to the server at \(origin)"]
    }
}
