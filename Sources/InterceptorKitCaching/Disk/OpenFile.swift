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

/// An open file, closed with its last reference. It stays readable after its removal.
final class OpenFile: Sendable {
    private let descriptor: Int32
    private let path: String

    /// Opens a file for reading.
    /// - Returns: `nil` if the file is absent. A link could lead to another user's file: it is removed and counts as
    ///   absent.
    init?(reading path: String) throws {
        self.path = path
        descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ELOOP { unsafe unlink(path) }
            if errno == ELOOP || errno == ENOENT || errno == ENOTDIR { return nil }
            throw StoreError.file(path, "cannot be opened", errno)
        }
    }

    /// Creates a file that only its owner can read and write.
    /// - Returns: `nil` if the folder is absent, or the name is taken.
    init?(creating path: String) throws {
        self.path = path
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == EEXIST { return nil }
            throw StoreError.file(path, "cannot be created", errno)
        }
        // The process's umask may have removed more permissions than that.
        fchmod(descriptor, 0o600)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    var attributes: FileAttributes? { FileAttributes(descriptor) }

    /// Removes the file, if its path still leads to it.
    func remove() {
        guard let own = attributes, FileAttributes(path)?.inode == own.inode else { return }
        unsafe unlink(path)
    }

    /// Locks the file for this process until it is closed, at the latest when the process ends.
    /// - Returns: `false` if another process holds the lock.
    func lock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// Reads into a buffer until it is full or the file ends.
    /// - Returns: The number of bytes read.
    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        at offset: Int
    ) throws -> Int {
        // Safety: `done` is below the count, so each rest is within the buffer, which the caller lends.
        var done = 0
        while done < buffer.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
            if count > 0 {
                done += count
            } else if count == 0 {
                break
            } else if errno != EINTR {
                throw StoreError.file(path, "cannot be read", errno)
            }
        }
        return done
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws {
        var done = 0
        while done < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = unsafe pwrite(
                descriptor,
                rest.baseAddress,
                rest.count,
                off_t(offset + done)
            )
            if count > 0 {
                done += count
            } else if count == 0 || errno != EINTR {
                throw StoreError.file(path, "cannot be written", count == 0 ? ENOSPC : errno)
            }
        }
    }

    /// Sets the time of the last use. Not every file system keeps it.
    func setModified(_ nanoseconds: Int64) {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let time = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
        // Safety: a tuple of two `timespec`s is laid out as an array of two.
        unsafe withUnsafePointer(to: (time, time)) { times in
            _ = unsafe times.withMemoryRebound(to: timespec.self, capacity: 2) { times in
                unsafe futimens(descriptor, times)
            }
        }
    }
}

extension StoreError {
    static func file(_ path: String, _ problem: String, _ number: Int32) -> StoreError {
        // Safety: the text of a number that the system knows is constant, and it is copied at once.
        let reason = unsafe String(cString: strerror(number))
        let name = HTTP.printable(path)
        switch number {
        case ENOSPC, EDQUOT, EFBIG:
            return StoreError(
                .noSpace,
                "The file \(name) \(problem): \(reason). The new response is not stored; what was "
                    + "stored before stays. Free disk space, or give the store a lower bound."
            )
        default:
            let isReading = problem.ends(with: "read") || problem.ends(with: "opened")
            return StoreError(
                isReading ? .cannotRead : .cannotWrite,
                "The file \(name) \(problem): \(reason)."
            )
        }
    }
}
