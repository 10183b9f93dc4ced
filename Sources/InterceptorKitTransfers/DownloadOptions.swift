public import InterceptorKit

extension HTTP {
    /// How a download treats what is there, what breaks off and what comes.
    public struct DownloadOptions: Sendable {
        /// Whether a file at the destination is replaced, once the new one is whole. Defaults to
        /// `true`; otherwise ``TransferError/Code-swift.struct/destinationExists`` is thrown, before
        /// anything is sent if the file is there by then. The new file has the old one's permissions.
        public var replacesExisting = true

        /// How often the rest is asked for when the content breaks off, in one call. Defaults to 3;
        /// with 0 it is not.
        ///
        /// Only a `GET` can be resumed, and only if the response had a strong validator (RFC 9110
        /// section 8.8.1), a known length and no content coding.
        public var resumptions = 3

        /// The waits before the rest is asked for. Defaults to full jitter from 50 ms to 20 s.
        public var backoff = Backoff()

        /// Whether what has come is kept for a later call when a download fails or is cancelled.
        /// Defaults to `false`.
        ///
        /// It lies beside the destination under its name and `.partial`, with what tells its version
        /// in `.partial.json`. One download at a time may use it.
        public var keepsPartial = false

        /// What the content is called, where a call after a failure may ask for it at another URL, as
        /// presigned ones differ from time to time. Defaults to the request's URL.
        public var identity: String?

        /// Whether the SHA-256 is computed as the content comes. Defaults to `false`.
        public var computesChecksum = false

        /// What the SHA-256 must be; other content is thrown away. Defaults to anything.
        public var expectedChecksum: Checksum?

        /// The most bytes accepted. Defaults to any number.
        public var maximumBytes: Int?

        /// Creates options with the default values.
        public init() {}
    }

    /// A download that is whole.
    public struct DownloadedFile: Sendable {
        /// Where it is.
        public let path: String
        /// Its size.
        public let byteCount: Int
        /// Its SHA-256, if that was computed.
        public let checksum: Checksum?
        /// How often the rest was asked for, because the content broke off or an earlier call had left
        /// a part.
        public let resumptions: Int
        /// The last response, of which the body is the file.
        public let response: Response
    }
}
