public import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitInspection
import InterceptorKitTesting
import Synchronization

/// Records what a transport answers in a file, and answers from it without a network.
///
/// Once, against the real service:
///
/// ```swift
/// let transport = try RecordingTransport(.record, cassette: path, over: URLSessionTransport())
/// ```
///
/// From then on:
///
/// ```swift
/// let transport = try RecordingTransport(replaying: path)
/// ```
///
/// The file is an HTTP archive (HAR 1.2), which browsers' developer tools and proxies open. It is
/// written whole, and put in place of the old one at once, after every exchange: made for the dozens
/// of exchanges of a test, not for load.
///
/// **Secrets never reach the file.** What the `redaction` hides (unlisted header fields, the call's
/// credential fields, named query parameters, user information, named JSON members and form fields)
/// is written as `██`, and is `██` when it is replayed. Requests are compared with their secrets
/// hidden. What is not named is written as it is, the URL's path above all.
///
/// **Replaying equals the recording**: status, fields, body and failures of the way
/// (`TransportError`), each request answered by the first recorded exchange it matches that was not
/// used yet, at once. Failures of other kinds are not recorded.
///
/// **Bodies.** While recording, a response is handed on when its body has arrived, or more of it than
/// `bodyLimit`; what is larger is passed on whole and recorded without content, as are one-shot
/// request bodies. Replaying a response without content throws.
public final class RecordingTransport: Transport {
    /// Whether a transport asks its base or its file.
    public enum Mode: Sendable, Hashable {
        /// Sends everything and records it in a new file, in place of the one there is.
        case record
        /// Sends nothing and answers from the file.
        case replay
        /// Answers from the file what is in it; sends and adds what is not, the rest of the file left
        /// as it is.
        case update
    }

    /// The largest body recorded unless another limit is given: 1 MiB.
    public static let defaultBodyLimit = 1 << 20

    /// Whether the base or the file is asked.
    public let mode: Mode
    private let base: (any Transport<HTTP.Request>)?
    private let bodyLimit: Int
    private let builder: HAR.Builder
    private let state: Lock<(cassette: Cassette, sends: Int)>

    /// Creates a transport.
    /// - Parameters:
    ///   - mode: Whether the base or the file is asked.
    ///   - path: The file, by convention ending in `.har`. Folders on the way to it are made.
    ///   - base: What sends; not used when replaying.
    ///   - matching: What a request must have in common with a recorded one. Defaults to method and
    ///     URL.
    ///   - redaction: What is hidden. Defaults to the standard rule.
    ///   - bodyLimit: The largest body recorded, in bytes. Defaults to ``defaultBodyLimit``.
    /// - Throws: ``CassetteError`` if the file cannot be read or written, or is no cassette; it names
    ///   the place in the file. A file that is not there yet can be updated, not replayed.
    public convenience init(
        _ mode: Mode,
        cassette path: String,
        over base: any Transport<HTTP.Request>,
        matching: CassetteMatching = .methodAndURL,
        redaction: Redaction = .standard,
        bodyLimit: Int = defaultBodyLimit
    ) throws(CassetteError) {
        try self.init(mode, path, base: base, matching, redaction, bodyLimit)
    }

    /// Creates a transport that answers from a file.
    /// - Parameters:
    ///   - path: The file.
    ///   - matching: What a request must have in common with a recorded one. Defaults to method and
    ///     URL.
    ///   - redaction: What is hidden before requests are compared. Defaults to the standard rule.
    /// - Throws: ``CassetteError`` if the file cannot be read or is no cassette; it names the place
    ///   in the file.
    public convenience init(
        replaying path: String,
        matching: CassetteMatching = .methodAndURL,
        redaction: Redaction = .standard
    ) throws(CassetteError) {
        try self.init(.replay, path, base: nil, matching, redaction, Self.defaultBodyLimit)
    }

    private init(
        _ mode: Mode,
        _ path: String,
        base: (any Transport<HTTP.Request>)?,
        _ matching: CassetteMatching,
        _ redaction: Redaction,
        _ bodyLimit: Int
    ) throws(CassetteError) {
        guard bodyLimit >= 0 else {
            throw CassetteError(
                .invalidSetting,
                "bodyLimit is \(bodyLimit) bytes; a limit cannot be negative."
            )
        }
        self.mode = mode
        self.base = base
        self.bodyLimit = bodyLimit
        builder = HAR.Builder(redaction: redaction)
        let isNew = mode == .record || (mode == .update && !Cassette.exists(at: path))
        let cassette =
            isNew
            ? try Cassette(emptyAt: path, builder, matching)
            : try Cassette(contentsOf: path, builder, matching)
        state = Lock((cassette, 0))
    }

    /// The requests that were in the file and not replayed, one line each.
    public var unused: [String] { state.withLock { $0.cassette.unused } }

    /// Throws a ``CassetteError`` that lists the requests that were in the file and not replayed.
    public func verify() throws(CassetteError) {
        let unused = unused
        guard unused.isEmpty else {
            let lines = unused.map { "- \($0)" }.joined(separator: "\n")
            throw CassetteError(.unused, "The cassette was not used up:\n\(lines)")
        }
    }

    public nonisolated(nonsending) func send(
        _ request: HTTP.Request,
        call: Call
    ) async throws -> HTTP.Response {
        try Task.checkCancellation()
        let body = try await request.body.captured(upTo: bodyLimit)
        let shown = builder.request(request, body: body, hiding: call.credentialFields)
        let (entry, number) = try state.withLock { state in
            state.sends += 1
            return (try state.cassette.recorded(shown, in: mode), state.sends)
        }
        if let entry {
            call.emit(.exchangeReplayed, from: "RecordingTransport")
            return try replay(entry, request)
        }
        guard let base else {
            throw CassetteError(.invalidSetting, "There is no transport to record.")
        }
        let exchange = RecordedExchange(request, body, call, builder)
        return try await exchange.record(over: base, upTo: bodyLimit) { entry in
            try state.withLock { try $0.cassette.add(entry, number: number) }
            call.emit(.exchangeRecorded, from: "RecordingTransport")
        }
    }

    private func replay(_ entry: HAR.Entry, _ request: HTTP.Request) throws -> HTTP.Response {
        let failure = entry.response.failure.map(TransportError.init)
        if let failure, entry.response.status == 0 { throw failure }
        guard let content = entry.response.content.bytes else {
            let reason = entry.response.content.comment ?? "The recorder left it out."
            throw CassetteError(
                .bodyNotRecorded,
                "\(entry.request.method) \(entry.request.url) was recorded without the response's "
                    + "body. \(reason)"
            )
        }
        var response = entry.response.restoredHead
        response.request = request
        // Hidden secrets change the length.
        let size = entry.response.content.size
        if size != content.count, response.headers["Content-Length"] == "\(size)" {
            response.headers["Content-Length"] = "\(content.count)"
        }
        response.body =
            failure.map { .oneShot(InterruptedBody(content, error: $0)) } ?? .bytes(content)
        return response
    }
}
