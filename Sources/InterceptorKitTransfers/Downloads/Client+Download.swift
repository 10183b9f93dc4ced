public import InterceptorKit

extension HTTP.Client {
    /// Downloads content to a file, and returns when the file is complete.
    ///
    /// ```swift
    /// let file = try await api.download(.get("/releases/7.img"), to: "7.img")
    /// ```
    ///
    /// The content is written to a file beside the destination, and renamed in one step when it is complete and on the
    /// disk: a reader sees the old file, or none, and then the new one. If the content breaks off, it is resumed; see
    /// ``HTTP/DownloadOptions/resumptions``. A failure or cancellation leaves nothing behind, unless
    /// ``HTTP/DownloadOptions/keepsPartial`` is set.
    ///
    /// Chunks are written as they are read, so memory does not grow with the content. Writing blocks a thread of the
    /// concurrency pool, never the caller's actor.
    /// - Parameters:
    ///   - request: The request. A status other than 2xx is a failure.
    ///   - path: The destination, in an existing folder; not a folder, link or device.
    ///   - options: The rules for replacing, resuming, keeping and checking files.
    ///   - timeout: The longest time for each request until the head of its response. Defaults to the client's.
    ///   - configure: Changes each call before it starts.
    /// - Throws: An ``HTTP/TransferError``; an error of the chain or the transport before the first
    ///   response; `CancellationError` if the calling task was cancelled or `cancelAll()` was called.
    public func download(
        _ request: HTTP.Request,
        to path: String,
        options: HTTP.DownloadOptions = HTTP.DownloadOptions(),
        timeout: Duration? = nil,
        configure: @escaping @Sendable (inout Call) throws -> Void = { _ in }
    ) async throws -> HTTP.DownloadedFile {
        try await transfer(request, .file(path), options, timeout, configure)(
            ProgressReporter(runtime)
        )
    }

    /// Starts a download and returns at once.
    ///
    /// Works like ``download(_:to:options:timeout:configure:)``, with separate progress and result.
    /// - Returns: The download, which is cancelled when its last reference is released.
    public func startDownload(
        _ request: HTTP.Request,
        to path: String,
        options: HTTP.DownloadOptions = HTTP.DownloadOptions(),
        timeout: Duration? = nil,
        configure: @escaping @Sendable (inout Call) throws -> Void = { _ in }
    ) -> HTTP.Transfer<HTTP.DownloadedFile> {
        HTTP.Transfer(
            "download",
            on: runtime,
            transfer(request, .file(path), options, timeout, configure)
        )
    }

    /// Downloads content to a file whose name is chosen from the response.
    ///
    /// ```swift
    /// let file = try await api.download(.get("/releases/latest"), into: "releases")
    /// ```
    ///
    /// Works like ``download(_:to:options:timeout:configure:)``. The name is a single path component, so that a server
    /// cannot choose a place outside of the folder.
    /// - Parameters:
    ///   - request: The request. A status other than 2xx is a failure.
    ///   - folder: The path of an existing folder.
    ///   - options: The rules for replacing, resuming, keeping and checking files. A kept part is in the folder under a
    ///     name made from ``HTTP/DownloadOptions/identity`` or the request's URL.
    ///   - timeout: The longest time for each request until the head of its response. Defaults to the client's.
    ///   - name: Returns the file's name. Defaults to the one that the server suggests
    ///     (`HTTP.Response.suggestedFilename`), or `download` if it suggests none.
    ///   - configure: Changes each call before it starts.
    /// - Throws: The errors of ``download(_:to:options:timeout:configure:)``; the error of `name`.
    public func download(
        _ request: HTTP.Request,
        into folder: String,
        options: HTTP.DownloadOptions = HTTP.DownloadOptions(),
        timeout: Duration? = nil,
        name: @escaping @Sendable (_ response: HTTP.Response) throws -> String = {
            $0.suggestedFilename ?? "download"
        },
        configure: @escaping @Sendable (inout Call) throws -> Void = { _ in }
    ) async throws -> HTTP.DownloadedFile {
        try await transfer(request, .folder(folder, name: name), options, timeout, configure)(
            ProgressReporter(runtime)
        )
    }

    /// Starts a download to a file whose name is chosen from the response, and returns at once.
    ///
    /// Works like ``download(_:into:options:timeout:name:configure:)``, with separate progress and result.
    /// - Returns: The download, which is cancelled when its last reference is released.
    public func startDownload(
        _ request: HTTP.Request,
        into folder: String,
        options: HTTP.DownloadOptions = HTTP.DownloadOptions(),
        timeout: Duration? = nil,
        name: @escaping @Sendable (_ response: HTTP.Response) throws -> String = {
            $0.suggestedFilename ?? "download"
        },
        configure: @escaping @Sendable (inout Call) throws -> Void = { _ in }
    ) -> HTTP.Transfer<HTTP.DownloadedFile> {
        HTTP.Transfer(
            "download",
            on: runtime,
            transfer(request, .folder(folder, name: name), options, timeout, configure)
        )
    }

    private func transfer(
        _ request: HTTP.Request,
        _ place: DownloadPlace,
        _ options: HTTP.DownloadOptions,
        _ timeout: Duration?,
        _ configure: @escaping @Sendable (inout Call) throws -> Void
    ) -> @Sendable (ProgressReporter) async throws -> HTTP.DownloadedFile {
        let download = DownloadRequest(
            client: self,
            request: request,
            place: place,
            options: options,
            timeout: timeout,
            configure: configure
        )
        return { reporter in
            try await runTransfer {
                var run = try DownloadOperation(download, reporter)
                return try await run.run()
            }
        }
    }
}
