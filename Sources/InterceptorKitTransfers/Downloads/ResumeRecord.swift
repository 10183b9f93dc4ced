import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The record beside a kept part: the version that the part belongs to, and the checksum of its bytes.
///
/// URLs are recorded as digests, because they may contain secrets. The record is removed whenever it might be wrong
/// about the part, so a crash at any point leaves a correct record or none; the checksum detects bytes that a loss of
/// power turned into zeros. The record identifies the part by its number in the file system, which no server knows: a
/// foreign file under the part's name, with a record of its own, is not accepted.
struct ResumeRecord {
    private struct Content: Codable {
        var format = 3
        let resource: String
        let part: PartialFile.Identity
        let version: ContentVersion
        let bytes: Bytes
    }

    struct Bytes: Codable, Equatable {
        let count: Int
        let checksum: String
    }

    private static let sizeLimit = 64 * 1024

    // Safety: the C functions below are lent this path for the length of a call; it has no NUL, because the
    // destination's has none.
    private let path: String
    private let resource: String
    private let part: PartialFile.Identity

    init(for destination: DownloadDestination, resource: String, part: PartialFile.Identity) {
        path = destination.path + ".partial.json"
        self.resource = HTTP.Checksum(of: resource.utf8).description
        self.part = part
    }

    /// Returns the version of the part and the bytes recorded of it; `nil` if the record is of another resource or
    /// unreadable.
    func content() -> (version: ContentVersion, bytes: Bytes)? {
        let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let file = PartialFile(path: path, descriptor: descriptor)
        guard file.isOwn, let size = try? file.size(), size <= Self.sizeLimit,
            let data = try? file.read(at: 0),
            let content = try? JSONDecoder().decode(Content.self, from: data),
            content.format == 3, content.resource == resource, content.part == part
        else { return nil }
        return (content.version, content.bytes)
    }

    func write(_ version: ContentVersion, _ bytes: Bytes) throws(HTTP.TransferError) {
        guard
            let data = try? JSONEncoder().encode(
                Content(resource: resource, part: part, version: version, bytes: bytes)
            )
        else { return }
        let draft = path + ".new"
        // A draft left by a crashed process may have other permissions, or be linked under another name.
        unsafe unlink(draft)
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = unsafe open(draft, flags, 0o600)
        guard descriptor >= 0 else { throw .file(draft, "cannot be written", errno) }
        let file = PartialFile(path: draft, descriptor: descriptor)
        do {
            try file.write(data, at: 0)
        } catch {
            file.remove()
            throw error
        }
        guard unsafe rename(draft, path) == 0 else {
            let number = errno
            file.remove()
            throw .file(path, "cannot be written", number)
        }
    }

    func remove() { unsafe unlink(path) }
}
