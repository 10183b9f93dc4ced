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
    private static let sizeLimit = 64 * 1024

    // Safety: the C functions below are lent this path for the length of a call; it has no NUL, because the
    // destination's has none.
    private let path: String
    private let resource: String
    private let part: PartialFile.Identity

    init(for destination: DownloadDestination, resource: String, part: PartialFile.Identity) {
        path = Self.path(for: destination)
        self.resource = HTTP.Checksum(of: resource.utf8).description
        self.part = part
    }

    /// Returns what is recorded of the part; `nil` if the record is of another resource or unreadable.
    func content() -> HTTP.ResumeData? {
        guard let data = Self.content(at: path), data.resource == resource, data.part == part else {
            return nil
        }
        return data
    }

    /// Returns what is recorded of the part for a destination, whatever resource it is of.
    static func content(for destination: DownloadDestination) -> HTTP.ResumeData? {
        content(at: path(for: destination))
    }

    private static func path(for destination: DownloadDestination) -> String {
        destination.path + ".partial.json"
    }

    private static func content(at path: String) -> HTTP.ResumeData? {
        let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let file = PartialFile(path: path, descriptor: descriptor)
        guard file.isOwn, let size = try? file.size(), size <= sizeLimit,
            let data = try? file.read(at: 0)
        else { return nil }
        return try? JSONDecoder().decode(HTTP.ResumeData.self, from: data)
    }

    func write(
        _ version: ContentVersion,
        _ bytes: HTTP.ResumeData.Bytes
    ) throws(HTTP.TransferError) {
        let content = HTTP.ResumeData(
            resource: resource,
            part: part,
            version: version,
            bytes: bytes
        )
        guard let data = try? JSONEncoder().encode(content) else { return }
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
