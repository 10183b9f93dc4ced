public import InterceptorKit

extension HTTP.Client {
    /// Downloads to a file and returns when the file is complete.
    ///
    /// ```swift
    /// let file = try await api.download(.get("/releases/7.img"), to: "7.img")
    /// ```
    ///
    /// The content is written beside the destination and moved there in one step when it is complete and on
    /// the disk: a reader sees the old file, or none, and then the new one. Content that breaks off is
    /// resumed; see ``HTTP/DownloadOptions/resumptions``. After a failure or a cancellation nothing is left,
    /// unless ``HTTP/DownloadOptions/keepsPartial`` is set.
    ///
    /// Chunks are read while they are written, so memory does not grow with the content. Writing blocks a
    /// thread of the concurrency pool, never the caller's actor.
    /// - Parameters:
    ///   - request: The request. A status other than 2xx is a failure.
    ///   - path: The destination, in a folder that exists; not a folder, link or device.
    ///   - options: The rules for replacing, resuming, keeping and checking files.
    ///   - timeout: The longest time for each request until its response's head; defaults to the client's.
    ///   - configure: Changes each call before it starts.
    /// - - Throws: An ``HTTP/TransferError``; an error of the chain or the transport before the first
    ///   response; `CancellationError` if the calling task was cancelled or `cancelAll()` was called.
    public func download(
        _ request: HTTP.Request,
        to path: String,
        options: HTTP.DownloadOptions = HTTP.DownloadOptions(),
        timeout: Duration? = nil,
        configure: @escaping @Sendable (inout Call) throws -> Void = { _ in }
    ) async throws -> HTTP.DownloadedFile {
        let download = DownloadRequest(
            client: self,
            request: request,
            path: path,
            options: options,
            timeout: timeout,
            configure: configure
        )
        return try await carryOut(download, ProgressReporter(runtime))
    }

    /// Starts a download and returns at once.
    ///
    /// Like ``download(_:to:options:timeout:configure:)``, with its own progress and end.
    /// - - Returns: The download. It is cancelled when nobody holds it any more.
    public func startDownload(
        _ request: HTTP.Request,
        to path: String,
        options: HTTP.DownloadOptions = HTTP.DownloadOptions(),
        timeout: Duration? = nil,
        configure: @escaping @Sendable (inout Call) throws -> Void = { _ in }
    ) -> HTTP.Transfer<HTTP.DownloadedFile> {
        let download = DownloadRequest(
            client: self,
            request: request,
            path: path,
            options: options,
            timeout: timeout,
            configure: configure
        )
        return HTTP.Transfer("download", on: runtime) { reporter in
            try await carryOut(download, reporter)
        }
    }

    private func carryOut(
        _ download: DownloadRequest,
        _ reporter: ProgressReporter
    ) async throws -> HTTP.DownloadedFile {
        try await runTransfer {
            var run = try DownloadOperation(download, reporter)
            return try await run.run()
        }
    }
}
