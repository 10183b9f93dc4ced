public import InterceptorKit

extension HTTP {
    /// The rules of a download for existing files, interruptions and checks.
    public struct DownloadOptions: Sendable {
        /// Whether a complete download replaces a file at the destination. Defaults to `true`. Otherwise
        /// ``TransferError/Code-swift.struct/destinationExists`` is thrown, before a request is sent if the file exists
        /// by then. The new file gets the permissions of the old one.
        public var replacesExisting = true

        /// The number of consecutive requests for the rest without progress, after which a download fails. Defaults to
        /// 3; 0 never requests the rest.
        ///
        /// Only a `GET` can be resumed, and only if the response had a strong validator (RFC 9110 section 8.8.1), a
        /// known length and no content coding. The request therefore asks for no coding. Content that a server codes
        /// nevertheless is requested once more, and written as the engine decodes it. To get coded content from
        /// `CurlTransport` and AsyncHTTPClient, set your own `Accept-Encoding`; `URLSession` always decodes.
        public var resumptions = 3

        /// Whether the folders of the destination are made if there are none. Defaults to `false`, which fails. They
        /// are made before anything is sent, and after a failure those that are empty are removed.
        public var createsIntermediateDirectories = false

        /// The waits before requesting the rest. Defaults to full jitter from 50 ms to 20 s. A `Retry-After` of up to
        /// 60 s, the limit of `RetryPolicy`, is respected too; a longer one ends the download.
        public var backoff = Backoff()

        /// Whether a download that fails or is cancelled keeps its part for a later call. Defaults to `false`.
        ///
        /// The part is beside the destination, under its name with `.partial`; its version and checksum are in
        /// `.partial.json`. A later call verifies the part, and starts over if it has changed. Only one download at a
        /// time can use the part.
        public var keepsPartial = false

        /// What an app stored of a part that was kept, for a call to the same path. Defaults to none. It implies
        /// ``keepsPartial``.
        ///
        /// It takes the place of the record beside the part if that is lost or of another URL.
        public var resumeData: ResumeData?

        /// The content's identity, if a call after a failure may use another URL, such as a new presigned one. Defaults
        /// to the request's URL.
        public var identity: String?

        /// Whether to compute the SHA-256 of the content while it arrives. Defaults to `false`.
        public var computesChecksum = false

        /// The required SHA-256; other content is discarded. Defaults to none.
        public var expectedChecksum: Checksum?

        /// The largest accepted size, in bytes. Defaults to no limit.
        public var maximumBytes: Int?

        /// Creates options with the default values.
        public init() {}

        var keepsPart: Bool { keepsPartial || resumeData != nil }
    }

    /// A completed download.
    public struct DownloadedFile: Sendable {
        /// The file's path.
        public let path: String
        /// The file's size in bytes.
        public let byteCount: Int
        /// The file's SHA-256; `nil` if it was not computed.
        public let checksum: Checksum?
        /// The number of requests for the rest, after an interruption or for a part of an earlier call.
        public let resumptions: Int
        /// The last response, whose body is the file.
        public let response: Response
    }
}
