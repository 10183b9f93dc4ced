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

/// The file that a download is written to until it is complete.
///
/// Its calls block the thread of the download's task while the system handles a chunk; ``sync()`` may take longer.
final class PartialFile: Sendable {
    private static let chunkSize = 64 * 1024

    let path: String
    private let descriptor: Int32

    init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    // Closing also ends the lock on a kept file.
    // Safety: the descriptor is this object's alone and open until here; buffers are lent to a call with their own
    // count, and a rest begins at `start`, which is below it.
    deinit { close(descriptor) }

    /// The identity of a file among all existing ones.
    struct Identity: Codable, Hashable {
        let device: UInt64
        let number: UInt64
    }

    func identity() throws(HTTP.TransferError) -> Identity {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure("cannot be measured") }
        return Identity(
            device: UInt64(truncatingIfNeeded: status.st_dev),
            number: UInt64(truncatingIfNeeded: status.st_ino)
        )
    }

    /// Returns the file's size, in bytes.
    func size() throws(HTTP.TransferError) -> Int {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure("cannot be measured") }
        return Int(status.st_size)
    }

    func write(_ chunk: Data, at position: Int) throws(HTTP.TransferError) {
        var done = 0
        while done < chunk.count {
            let start = done
            let (count, number) = unsafe chunk.withUnsafeBytes { bytes in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
                let count = unsafe pwrite(
                    descriptor,
                    rest.baseAddress,
                    rest.count,
                    off_t(position + start)
                )
                return (count, errno)
            }
            if count > 0 {
                done += count
            } else if number != EINTR || count == 0 {
                throw .file(path, "cannot be written", count == 0 ? ENOSPC : number)
            }
        }
    }

    /// Returns bytes from a position on; empty at the end.
    func read(at position: Int) throws(HTTP.TransferError) -> Data {
        var chunk = Data(count: Self.chunkSize)
        let count = unsafe chunk.withUnsafeMutableBytes { bytes in
            unsafe pread(descriptor, bytes.baseAddress, bytes.count, off_t(position))
        }
        guard count >= 0 else { throw failure("cannot be read") }
        return chunk.prefix(count)
    }

    func truncate(to count: Int) throws(HTTP.TransferError) {
        guard ftruncate(descriptor, off_t(count)) == 0 else { throw failure("cannot be emptied") }
    }

    /// Waits until the bytes are on the disk, so that no crash leaves an incomplete file under the final name.
    func sync() throws(HTTP.TransferError) {
        guard fsync(descriptor) == 0 else { throw failure("cannot be written") }
    }

    func remove() { unsafe unlink(path) }

    private func failure(_ problem: String) -> HTTP.TransferError { .file(path, problem, errno) }
}

extension PartialFile {
    /// Creates a file for one download.
    static func temporary(
        for destination: DownloadDestination,
        _ random: () -> UInt64
    ) throws(HTTP.TransferError) -> PartialFile {
        // Try random names until one is free; several taken names in a row are no coincidence.
        for _ in 0..<16 {
            let path = destination.sibling(".download-\(String(random(), radix: 16))")
            let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            let descriptor = unsafe open(path, flags, destination.permissions ?? 0o666)
            if descriptor >= 0 {
                return PartialFile(path: path, descriptor: descriptor).withPermissions(
                    of: destination
                )
            }
            guard errno == EEXIST else { break }
        }
        throw .file(destination.path, "cannot be written", errno)
    }

    /// Opens or creates the kept file for a destination, and locks it for this download.
    static func kept(
        for destination: DownloadDestination
    ) throws(HTTP.TransferError) -> PartialFile {
        let path = destination.path + DownloadDestination.keptEnding
        for _ in 0..<16 {
            let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
            let descriptor = unsafe open(path, flags, destination.permissions ?? 0o666)
            guard descriptor >= 0 else { throw .file(path, "cannot be written", errno) }
            let file = PartialFile(path: path, descriptor: descriptor)
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                guard errno == EWOULDBLOCK else { throw .file(path, "cannot be locked", errno) }
                throw HTTP.TransferError(
                    .destinationBusy,
                    "Another download is using \(HTTP.printable(path)). Wait until it has ended."
                )
            }
            // The previous holder of the lock may have moved the file to the destination, which must not be changed.
            guard file.isAtItsPath else { continue }
            guard file.isOwn else { throw .foreign(path) }
            if file.hasOneName { return file.withPermissions(of: destination) }
            // A file with another name must not be changed: it is the destination, if a process ended while placing it,
            // or some other file that was linked under this name.
            guard unsafe unlink(path) == 0 || errno == ENOENT else {
                throw .file(path, "cannot be removed", errno)
            }
        }
        throw .file(path, "is replaced again and again", EBUSY)
    }

    private var isAtItsPath: Bool {
        var opened = stat()
        var found = stat()
        guard unsafe fstat(descriptor, &opened) == 0, unsafe lstat(path, &found) == 0 else {
            return false
        }
        return opened.st_ino == found.st_ino && opened.st_dev == found.st_dev
            && opened.st_mode & S_IFMT == S_IFREG
    }

    /// Whether the file belongs to this process's user; others could change the content of theirs.
    var isOwn: Bool { facts?.owner == geteuid() }

    private var hasOneName: Bool { facts?.names == 1 }

    private var facts: (owner: uid_t, names: UInt64)? {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        return (status.st_uid, UInt64(status.st_nlink))
    }

    // The umask applies to a new file; a replaced file passes on its permissions.
    private func withPermissions(of destination: DownloadDestination) -> PartialFile {
        takeOverPermissions(of: destination)
        return self
    }

    func takeOverPermissions(of destination: DownloadDestination) {
        if let permissions = destination.permissions { fchmod(descriptor, permissions) }
    }
}
