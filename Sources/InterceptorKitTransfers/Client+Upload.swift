public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

extension HTTP.Client {
    /// Uploads a body, and returns the response when its head has arrived.
    ///
    /// ```swift
    /// let response = try await api.upload(.put("/photos/7"), from: .file("7.jpg"))
    /// ```
    ///
    /// Works like `send(_:timeout:configure:)`, without the time limits of the client and its `TimeoutInterceptor`s,
    /// which would include the time for sending the body.
    /// - Parameters:
    ///   - request: The request.
    ///   - body: Bytes, a file or a range of one, or a stream. Defaults to the request's own body.
    ///   - timeout: The longest time until the head of the response. Defaults to no limit.
    ///   - configure: Changes the call before it starts.
    /// - Throws: The errors of `send(_:timeout:configure:)`.
    public func upload(
        _ request: HTTP.Request,
        from body: HTTP.Body? = nil,
        timeout: Duration? = nil,
        configure: @escaping @Sendable (inout Call) throws -> Void = { _ in }
    ) async throws -> HTTP.Response {
        let reporter = ProgressReporter(runtime)
        return try await carryOut(request, body, timeout, configure, reporter)
    }

    /// Starts an upload and returns at once.
    ///
    /// Works like ``upload(_:from:timeout:configure:)``, with separate progress and result. The progress is the number
    /// of bytes that the transport reports as sent (`Call.onBodySent`). If its engine reports none, it is the number of
    /// bytes read from a stream; other bodies count as sent when the response has arrived. The number decreases when
    /// the body is sent again.
    /// - Returns: The upload, which is cancelled when its last reference is released. A response that has arrived
    ///   remains usable.
    public func startUpload(
        _ request: HTTP.Request,
        from body: HTTP.Body? = nil,
        timeout: Duration? = nil,
        configure: @escaping @Sendable (inout Call) throws -> Void = { _ in }
    ) -> HTTP.Transfer<HTTP.Response> {
        HTTP.Transfer("upload", on: runtime) { reporter in
            try await carryOut(request, body, timeout, configure, reporter)
        }
    }

    private func carryOut(
        _ request: HTTP.Request,
        _ body: HTTP.Body?,
        _ timeout: Duration?,
        _ configure: @escaping @Sendable (inout Call) throws -> Void,
        _ reporter: ProgressReporter
    ) async throws -> HTTP.Response {
        try await runTransfer {
            try Task.checkCancellation()
            var request = request
            if let body { request.body = body }
            let meter = UploadMeter(reporter, total: request.body.length)
            request.body = request.body.counted(meter.read)
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

/// Counts the bytes of a body that the transport reports as sent, or else those read from it.
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

    // A body that the server accepted was sent, even if nobody counted it.
    func finish() {
        let count = total ?? reporter.latest.completedBytes
        reporter.report(count, of: count)
    }
}
