public import InterceptorKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension HTTP {
    /// What is known of a download's part that was kept, as a value that an app can store.
    ///
    /// ```swift
    /// options.resumeData = HTTP.ResumeData(keptFor: "7.img")
    /// let file = try await api.download(.get(presigned), to: "7.img", options: options)
    /// ```
    ///
    /// Read it after a failure or cancellation, or when the process begins again. The bytes themselves stay beside the destination, as ``HTTP/DownloadOptions/keepsPartial`` describes. A later
    /// call verifies them by the checksum in this value, and starts over if they have changed. Its URL may have another
    /// query, as one that is presigned anew. The value has digests of the URL, not the URL.
    public struct ResumeData: Sendable, Hashable, Codable {
        struct Bytes: Codable, Hashable {
            let count: Int
            let checksum: String
        }

        // A value of another format is not read.
        private enum Format: Int, Codable { case current = 3 }

        private let format: Format
        let resource: String
        let part: PartialFile.Identity
        let version: ContentVersion
        let bytes: Bytes

        init(
            resource: String,
            part: PartialFile.Identity,
            version: ContentVersion,
            bytes: Bytes
        ) {
            format = .current
            self.resource = resource
            self.part = part
            self.version = version
            self.bytes = bytes
        }

        /// Reads what is known of the part for a destination.
        ///
        /// This blocks the thread for a read of at most 64 KiB.
        /// - Parameter path: The destination of the download.
        /// - Returns: `nil` if there is no part that a later call could use.
        public init?(keptFor path: String) {
            guard let destination = try? DownloadDestination(path),
                let data = ResumeRecord.content(for: destination), data.isUsable
            else { return nil }
            let part = path + DownloadDestination.keptEnding
            // Safety: the path has no NUL, which the destination looked for, and is lent for the length of a call.
            let descriptor = unsafe open(part, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            let file = PartialFile(path: part, descriptor: descriptor)
            guard file.isOwn, let identity = try? file.identity(), identity == data.part else {
                return nil
            }
            self = data
        }

        /// The number of bytes that need not be requested again.
        public var completedBytes: Int { bytes.count }
        /// The size of the complete content, in bytes.
        public var totalBytes: Int { version.length }

        /// Whether the numbers are those of a part, as those of a value from outside may not be.
        var isUsable: Bool { bytes.count > 0 && bytes.count <= version.length }
    }
}

extension HTTP.ResumeData: CustomStringConvertible, CustomReflectable {
    /// The bytes that are there, and how many there will be.
    public var description: String { "\(completedBytes) of \(totalBytes) bytes" }
    /// The description, so that `dump` and debuggers show no digest or validator.
    public var customMirror: Mirror { Mirror(self, children: ["content": description]) }
}
