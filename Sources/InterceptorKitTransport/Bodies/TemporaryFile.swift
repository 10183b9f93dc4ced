import Foundation
import InterceptorKitConcurrency
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that only this process's user can access; it is gone once its name is removed and nobody holds it open.
final class TemporaryFile: Sendable {
    let name: TemporaryName
    // Each caller passes the position, so reading and writing need no lock.
    private let descriptor: Int32

    /// Creates an empty file.
    /// - Parameter folder: The folder that contains it.
    init(in folder: String) throws(StorageError) {
        var path = Array((folder + "/InterceptorKit-XXXXXX").utf8CString)
        // Owner-only (mode 0600) and never one that exists.
        // Safety: `utf8CString` ends with NUL, and `mkstemp` replaces the six X in place.
        let descriptor = unsafe path.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe mkstemp($0) } ?? -1
        }
        guard descriptor >= 0 else { throw .last("made") }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        self.descriptor = descriptor
        let bytes = path.dropLast().map(UInt8.init(bitPattern:))
        name = TemporaryName(String(decoding: bytes, as: UTF8.self))
    }

    /// Takes over an open descriptor without a name, for tests of failing writes.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        name = TemporaryName("")
    }

    deinit { close(descriptor) }

    func write(_ data: Data, at start: Int) throws(StorageError) {
        // Safety: `done` is below the count, so each rest is within the data, which is lent for one call. The same
        // holds below.
        var done = 0
        while done < data.count {
            let count = unsafe data.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
                return unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(start + done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .last("written") }
            done += count
        }
    }

    func read(_ range: Range<Int>) throws(StorageError) -> Data {
        var data = Data(count: range.count)
        var done = 0
        while done < range.count {
            let count = unsafe data.withUnsafeMutableBytes { buffer in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
                let offset = off_t(range.lowerBound + done)
                return unsafe pread(descriptor, rest.baseAddress, rest.count, offset)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .last("read") }
            done += count
        }
        return data
    }
}

/// The path of a temporary file, removed when its last reference is released. The file stays for code that has it open.
final class TemporaryName: Sendable {
    let path: String
    private let exists = Lock(true)

    init(_ path: String) { self.path = path }

    deinit { remove() }

    func remove() {
        let existed = exists.withLock { exists in
            defer { exists = false }
            return exists
        }
        if existed { unsafe unlink(path) }
    }
}
