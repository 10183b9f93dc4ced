public import InterceptorKit

extension HTTP {
    /// The rules of a download for existing files, interruptions and checks.
    public struct DownloadOptions: Sendable {
        /// Whether to replace a file at the destination when the new one is complete. Defaults to `true`;
        /// otherwise ``TransferError/Code-swift.struct/destinationExists`` is thrown, before anything is sent
        /// if the file already exists. The new file gets the old one's permissions.
        public var replacesExisting = true

        /// How often in a row one call requests the rest and comes no further, when the content breaks off. Defaults
        /// to 3; 0 means that the rest is never requested.
        ///
        /// Only a `GET` can be resumed, and only if the response had a strong validator (RFC 9110
        /// section 8.8.1), a known length and no content coding. No coding is asked for, and content that a
        /// server sends coded all the same is asked for once more and written decoded, as the engine does it.
        /// Give the request an `Accept-Encoding` of your own to get what `CurlTransport` and
        /// AsyncHTTPClient then leave coded; `URLSession` decodes always.
        public var resumptions = 3

        /// The waits before requesting the rest. Defaults to full jitter from 50 ms to 20 s. A `Retry-After` of up to
        /// 60 s, the limit of `RetryPolicy`, is waited for too; a longer one ends the download.
        public var backoff = Backoff()

        /// Whether to keep the downloaded part for a later call when a download fails or is cancelled.
        /// Defaults to `false`.
        ///
        /// The part is beside the destination under its name and `.partial`, and its version and checksum in
        /// `.partial.json`. A later call reads it, and begins again if it is not as it was. One download at a time may
        /// use it.
        public var keepsPartial = false

        /// The content's identity, if a call after a failure may use another URL, such as a new presigned
        /// one. Defaults to the request's URL.
        public var identity: String?

        /// Whether to compute the SHA-256 while the content arrives. Defaults to `false`.
        public var computesChecksum = false

        /// The required SHA-256; other content is discarded. Defaults to any.
        public var expectedChecksum: Checksum?

        /// The largest number of bytes accepted. Defaults to no limit.
        public var maximumBytes: Int?

        /// Creates options with the default values.
        public init() {}
    }

    /// A completed download.
    public struct DownloadedFile: Sendable {
        /// The file's path.
        public let path: String
        /// The file's size in bytes.
        public let byteCount: Int
        /// The file's SHA-256, if it was computed.
        public let checksum: Checksum?
        /// How often the rest was requested, because the content broke off or an earlier call had left a
        /// part.
        public let resumptions: Int
        /// The last response, whose body is the file.
        public let response: Response
    }
}
