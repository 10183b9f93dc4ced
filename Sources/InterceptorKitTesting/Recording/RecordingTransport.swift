public import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitInspection
public import InterceptorKitLoopback
import Synchronization

/// Records a transport's responses in a file, and replays them without a network.
///
/// Record once, against the real service:
///
/// ```swift
/// let transport = try RecordingTransport(.record, cassette: path, over: URLSessionTransport())
/// ```
///
/// After that, replay:
///
/// ```swift
/// let transport = try RecordingTransport(replaying: path)
/// ```
///
/// The file is an HTTP archive (HAR 1.2), which browsers' developer tools and proxies open. It is written completely
/// after every exchange and replaces the old one: made for the dozens of exchanges of a test, not for load.
///
/// **Secrets never reach the file.** Everything that the `redaction` hides (unlisted header fields, the call's
/// credential fields, query parameters, user information, JSON members and form fields with secret names) is written as
/// `██`, and replayed as `██`. Requests are compared with their secrets hidden. Secrets without such a name are
/// written, above all those in the URL's path.
///
/// **Replaying equals the recording**: status, fields, body, trailers and transport failures (`TransportError`). Each
/// request gets the first matching exchange that is unused, at once. Other failures are not recorded.
///
/// **Bodies.** While recording, a response is returned when its body, or more of it than `bodyLimit`, has arrived. A
/// larger body is passed on completely and recorded without content, and so are one-shot request bodies. Replaying a
/// response without content throws.
public final class RecordingTransport: Transport {
    /// The mode, which decides whether a transport uses its base or its file.
    public enum Mode: Sendable, Hashable {
        /// Sends every request and records it in a new file, which replaces an existing one.
        case record
        /// Sends nothing and replays from the file.
        case replay
        /// Replays requests that are in the file; sends and adds the others, and leaves the rest of the file unchanged.
        case update
    }

    /// The default limit for a recorded body: 1 MiB.
    public static let defaultBodyLimit = 1 << 20

    /// The mode.
    public let mode: Mode
    private let base: (any Transport<HTTP.Request>)?
    private let bodyLimit: Int
    private let builder: HAR.Builder
    private let state: Lock<(cassette: Cassette, sends: Int)>

    /// Creates a transport.
    /// - Parameters:
    ///   - mode: The mode.
    ///   - path: The file, by convention ending in `.har`. Missing folders are created.
    ///   - base: The transport that sends; not used when replaying.
    ///   - matching: The rule for matching requests. Defaults to method and URL.
    ///   - redaction: The redaction. Defaults to `Redaction.standard`.
    ///   - bodyLimit: The largest body recorded, in bytes. Defaults to ``defaultBodyLimit``.
    /// - Throws: ``TestKitError``, with the place in the file, if it cannot be read or written, or isn't a
    ///   cassette. A missing file can be updated, but not replayed. `SettingError` for a negative limit.
    public convenience init(
        _ mode: Mode,
        cassette path: String,
        over base: any Transport<HTTP.Request>,
        matching: CassetteMatching = .methodAndURL,
        redaction: Redaction = .standard,
        bodyLimit: Int = defaultBodyLimit
    ) throws {
        try SettingCheck(of: "RecordingTransport").notNegative("bodyLimit", bodyLimit)
        try self.init(mode, path, base: base, matching, redaction, bodyLimit)
    }

    /// Creates a transport that replays from a file.
    /// - Parameters:
    ///   - path: The file.
    ///   - matching: The rule for matching requests. Defaults to method and URL.
    ///   - redaction: The redaction for comparing requests. Defaults to `Redaction.standard`.
    /// - Throws: ``TestKitError``, with the place in the file, if it cannot be read or isn't a cassette.
    public convenience init(
        replaying path: String,
        matching: CassetteMatching = .methodAndURL,
        redaction: Redaction = .standard
    ) throws(TestKitError) {
        try self.init(.replay, path, base: nil, matching, redaction, Self.defaultBodyLimit)
    }

    private init(
        _ mode: Mode,
        _ path: String,
        base: (any Transport<HTTP.Request>)?,
        _ matching: CassetteMatching,
        _ redaction: Redaction,
        _ bodyLimit: Int
    ) throws(TestKitError) {
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

    /// The requests in the file that were not replayed, one line each.
    public var unused: [String] { state.withLock { $0.cassette.unused } }

    /// Throws a ``TestKitError`` that lists the requests in the file that were not replayed.
    public func verify() throws(TestKitError) {
        let unused = unused
        guard unused.isEmpty else {
            let lines = unused.map { "- \($0)" }.joined(separator: "\n")
            throw TestKitError(.unused, "The cassette was not used up:\n\(lines)")
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
            call.emit(.exchangeReplayed)
            return try replay(entry, request)
        }
        guard let base else {
            throw TestKitError(.unmatched, "There is no transport to record.")
        }
        let exchange = RecordedExchange(request, body, call, builder)
        return try await exchange.record(over: base, upTo: bodyLimit) { entry in
            try state.withLock { try $0.cassette.add(entry, number: number) }
            call.emit(.exchangeRecorded)
        }
    }

    private func replay(_ entry: HAR.Entry, _ request: HTTP.Request) throws -> HTTP.Response {
        let failure = entry.response.failure.map(TransportError.init)
        if entry.response.status == 0 {
            // Other recorders do not give a reason.
            throw failure ?? TransportError(.other, "There was no response when it was recorded.")
        }
        guard let content = entry.response.content.bytes else {
            let reason = entry.response.content.comment ?? "The recorder left it out."
            throw TestKitError(
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
        let trailers = entry.response.trailers.map(HAR.headers)
        response.body =
            switch (failure, trailers) {
            case (let failure?, _): .oneShot(ReplayedBody(content, ending: .failure(failure)))
            case (nil, let trailers?):
                .oneShot(length: content.count, ReplayedBody(content, ending: .success(trailers)))
            case (nil, nil): .bytes(content)
            }
        return response
    }
}

extension Event.Name {
    /// An exchange was written to a cassette.
    public static let exchangeRecorded: Self = "cassette.recorded"
    /// An exchange was replayed from a cassette.
    public static let exchangeReplayed: Self = "cassette.replayed"
}
