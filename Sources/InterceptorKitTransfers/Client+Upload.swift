public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

extension HTTP.Client {
    /// Sends a body and returns the response when its head has arrived.
    ///
    /// ```swift
    /// let response = try await api.upload(.put("/photos/7"), from: .file("7.jpg"))
    /// ```
    ///
    /// Like `send(_:timeout:configure:)`, but without the limits of the client and of its
    /// `TimeoutInterceptor`s, which would include the time for sending the body.
    /// - Parameters:
    ///   - request: The request.
    ///   - body: The body, in place of the request's own: bytes, a file or a range of one, or a stream.
    ///   - timeout: The longest time for the call until its response's head. Defaults to no limit.
    ///   - configure: Changes the call before it starts.
    /// - Throws: As `send(_:timeout:configure:)`.
    public func upload(
        _ request: HTTP.Request,
        from body: HTTP.Body,
        timeout: Duration? = nil,
        configure: @escaping @Sendable (inout Call) throws -> Void = { _ in }
    ) async throws -> HTTP.Response {
        let reporter = ProgressReporter(runtime)
        return try await carryOut(request, body, timeout, configure, reporter)
    }

    /// Starts an upload and returns at once.
    ///
    /// Like ``upload(_:from:timeout:configure:)``, with its own progress and end. The progress is the number
    /// of bytes that the transport reports as sent (`Call.onBodySent`). If its engine does not report them,
    /// it is the part of a stream that was read, and for other bodies the whole body when the response has
    /// arrived. A smaller number than before means that the body is being sent again.
    /// - - Returns: The upload. It is cancelled when nobody holds it any more; a response that has arrived
    ///   stays.
    public func startUpload(
        _ request: HTTP.Request,
        from body: HTTP.Body,
        timeout: Duration? = nil,
        configure: @escaping @Sendable (inout Call) throws -> Void = { _ in }
    ) -> HTTP.Transfer<HTTP.Response> {
        HTTP.Transfer("upload", on: runtime) { reporter in
            try await carryOut(request, body, timeout, configure, reporter)
        }
    }

    private func carryOut(
        _ request: HTTP.Request,
        _ body: HTTP.Body,
        _ timeout: Duration?,
        _ configure: @escaping @Sendable (inout Call) throws -> Void,
        _ reporter: ProgressReporter
    ) async throws -> HTTP.Response {
        try await runTransfer {
            try Task.checkCancellation()
            let meter = UploadMeter(reporter, total: body.length)
            var request = request
            request.body = body.counted(meter.read)
            let limit = timeout ?? HTTP.Client.unlimited
            let response = try await send(request, timeout: limit) { call in
                call.attemptTimeout = limit
                try configure(&call)
                let observer = call.onBodySent
                call.onBodySent = { count in
                    observer?(count)
                    meter.sent(count)
                }
            }
            if response.status.isSuccess { meter.finish() }
            return response
        }
    }
}

/// Counts a body by what the transport says has left, or else by what was read of it.
private final class UploadMeter: Sendable {
    private let reporter: ProgressReporter
    private let total: Int?
    private let isReported = Lock(false)

    init(_ reporter: ProgressReporter, total: Int?) {
        self.reporter = reporter
        self.total = total
        reporter.begin(with: 0, of: total)
    }

    func sent(_ count: Int) {
        isReported.withLock { $0 = true }
        reporter.report(count, of: total)
    }

    func read(_ count: Int) {
        if !isReported.withLock(\.self) { reporter.report(count, of: total) }
    }

    // An accepted body has left, no matter who counted.
    func finish() {
        let count = total ?? reporter.latest.completedBytes
        reporter.report(count, of: count)
    }
}
