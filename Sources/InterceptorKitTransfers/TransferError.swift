public import InterceptorKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension HTTP {
    /// Why an upload or download failed, apart from what the chain and the transport throw.
    ///
    /// Nothing half-written is at the destination, and nothing beside it either, unless it was asked to
    /// be kept.
    public struct TransferError: CodedError, Sendable {
        /// The kind of failure.
        public struct Code: ErrorCode {
            /// The error that has such codes.
            public typealias Failure = TransferError

            public let description: String

            /// There is a file at the destination, and it is not to be replaced.
            public static let destinationExists = Code(description: "destination exists")
            /// The destination cannot be written.
            public static let destinationUnwritable = Code(description: "destination unwritable")
            /// Another download uses the part that is kept for this destination.
            public static let destinationBusy = Code(description: "destination busy")
            /// There is no space left for the content.
            public static let diskFull = Code(description: "disk full")
            /// The response has no content to download: see ``TransferError/response``.
            public static let refused = Code(description: "refused")
            /// The content broke off: see ``TransferError/cause``.
            public static let interrupted = Code(description: "interrupted")
            /// The content ended before its stated length.
            public static let truncated = Code(description: "truncated")
            /// The content is longer than stated, or than is accepted.
            public static let tooLong = Code(description: "too long")
            /// A part came that was not asked for.
            public static let unexpectedPart = Code(description: "unexpected part")
            /// The content is not what was expected.
            public static let checksumMismatch = Code(description: "checksum mismatch")
        }

        /// The kind of failure.
        public let code: Code
        /// What happened and what to do, in whole sentences without secrets.
        public let message: String
        /// How the server refused, with the first 64 KiB of the body.
        public let response: Response?
        /// What broke the content off.
        public let cause: (any Error)?

        /// Creates an error.
        /// - Parameters:
        ///   - code: The kind of failure.
        ///   - message: What happened, in whole sentences without secrets.
        ///   - response: How the server refused.
        ///   - cause: What broke the content off.
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

extension HTTP.TransferError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}

extension HTTP.TransferError {
    /// What the system says about a file.
    static func file(_ path: String, _ problem: String, _ number: Int32) -> Self {
        let isFull = number == ENOSPC || number == EDQUOT
        // Safety: the text of a number that the system knows is constant, and it is copied at once.
        let reason = unsafe String(cString: strerror(number))
        return HTTP.TransferError(
            isFull ? .diskFull : .destinationUnwritable,
            "\(HTTP.printable(path)) \(problem): \(reason)."
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

extension HTTP.TransferError: CustomReflectable {
    /// The kind of failure, the description and the cause's type, without the response's body.
    public var customMirror: Mirror {
        let cause = cause.map { "\(type(of: $0))" }
        return Mirror(
            self,
            children: ["code": code, "description": description, "cause": cause as Any]
        )
    }
}
