public import InterceptorKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension HTTP {
    /// An error of an upload or download that is not one of the chain or the transport.
    ///
    /// The destination has no incomplete file, and no part is left beside it unless you asked to keep it.
    public struct TransferError: CodedError, Sendable {
        /// The kind of failure.
        public struct Code: ErrorCode {
            public let description: String

            /// A file exists at the destination and must not be replaced.
            public static let destinationExists = Code(description: "destinationExists")
            /// The destination cannot be written.
            public static let destinationUnwritable = Code(description: "destinationUnwritable")
            /// Another download uses the kept part for this destination.
            public static let destinationBusy = Code(description: "destinationBusy")
            /// There is no space left for the content.
            public static let diskFull = Code(description: "diskFull")
            /// The response has no content to download; see ``TransferError/response``.
            public static let refused = Code(description: "refused")
            /// The content broke off; see ``TransferError/cause``.
            public static let interrupted = Code(description: "interrupted")
            /// The content ended before its stated length.
            public static let truncated = Code(description: "truncated")
            /// The content is longer than its stated length or the limit.
            public static let tooLong = Code(description: "tooLong")
            /// A response contained a part that was not requested.
            public static let unexpectedPart = Code(description: "unexpectedPart")
            /// The content's checksum differs from the expected one.
            public static let checksumMismatch = Code(description: "checksumMismatch")
        }

        public let code: Code
        public let message: String
        /// The server's refusal, with the first 64 KiB of the body.
        public let response: Response?
        /// The error that broke off the content.
        public let cause: (any Error)?

        /// Creates an error.
        /// - Parameters:
        ///   - code: The kind of failure.
        ///   - message: The failure, in whole sentences without secrets.
        ///   - response: The server's refusal.
        ///   - cause: The error that broke off the content.
        public init(
            _ code: Code,
            _ message: String,
            response: Response? = nil,
            cause: (any Error)? = nil
        ) {
            self.code = code
            self.message = message
            self.response = response
            self.cause = cause
        }
    }
}

extension HTTP.TransferError: StatusReportingError {
    /// The status of the ``response``.
    public var responseStatus: HTTP.Status? { response?.status }
    /// The wait that the ``response`` asks for.
    public var retryAfter: Duration? { response?.retryAfter }
}

extension HTTP.TransferError {
    /// Returns the error for a failed file operation.
    static func file(_ path: String, _ problem: String, _ number: Int32) -> Self {
        let isFull = number == ENOSPC || number == EDQUOT
        // Safety: the text of a number that the system knows is constant, and it is copied at once.
        let reason = unsafe String(cString: strerror(number))
        return HTTP.TransferError(
            isFull ? .diskFull : .destinationUnwritable,
            "\(HTTP.printable(path)) \(problem): \(reason)."
                + (number == ENOENT
                    ? " Make its folder, or set HTTP.DownloadOptions.createsIntermediateDirectories."
                    : "")
        )
    }

    static func destination(_ path: String, _ problem: String) -> Self {
        HTTP.TransferError(
            .destinationUnwritable,
            "\(HTTP.printable(path)) cannot be a download's destination: \(problem)."
        )
    }

    static func foreign(_ path: String) -> Self {
        HTTP.TransferError(
            .destinationUnwritable,
            "\(HTTP.printable(path)) belongs to another user, who could change what is kept in it. Remove "
                + "it, or download to a folder of your own."
        )
    }

    static func exists(_ path: String) -> Self {
        HTTP.TransferError(
            .destinationExists,
            "There is a file at \(HTTP.printable(path)) already. Choose another path, or let the "
                + "download replace it."
        )
    }
}
