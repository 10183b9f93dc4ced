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

/// What is written beside a kept part: which version of what it is the beginning of, and the checksum of its bytes.
///
/// URLs are in it as digests, because they may hold secrets. It is gone whenever it might not be true
/// of the part, so that a crash at any point leaves either a true one or none; the bytes, which a loss of power can
/// make zeros, are compared with the checksum. It names the part by its
/// number in the file system, which no server knows: a file that came from elsewhere under
/// the part's name, with a record of its own, is not taken for one.
struct ResumeRecord {
    private struct Content: Codable {
        var format = 3
        let resource: String
        let part: PartialFile.Identity
        let version: ContentVersion
        let bytes: Bytes
    }

    /// So many bytes from the beginning on, and their checksum.
    struct Bytes: Codable, Equatable {
        let count: Int
        let checksum: String
    }

    private static let sizeLimit = 64 * 1024

    // Safety: the C functions below are lent this path for the length of a call; it has no NUL,
    // because the destination's has none.
    private let path: String
    private let resource: String
    private let part: PartialFile.Identity

    init(for destination: DownloadDestination, resource: String, part: PartialFile.Identity) {
        path = destination.path + ".partial.json"
        self.resource = HTTP.Checksum(of: resource.utf8).description
        self.part = part
    }

    /// The version that the part is the beginning of, and what of it was there when the record was written; `nil` if it
    /// is another resource's or unknown.
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
        // What a process that died left behind may have anybody's permissions, or another name.
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
