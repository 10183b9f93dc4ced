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

struct FileAttributes: Sendable {
    let inode: UInt64
    let size: Int
    let owner: UInt32
    let isFile: Bool
    let isFolder: Bool
    let isLink: Bool
    /// Whether users other than the owner may write to the file.
    let isWritableByOthers: Bool
    /// Whether users other than the owner have any permission.
    let isOpenToOthers: Bool
    /// Whether the file has no name any more.
    let isRemoved: Bool
    /// The modification time, in nanoseconds since 1970.
    let modified: Int64

    private init(_ status: stat) {
        inode = UInt64(status.st_ino)
        size = Int(status.st_size)
        owner = status.st_uid
        isFile = status.st_mode & S_IFMT == S_IFREG
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        isLink = status.st_mode & S_IFMT == S_IFLNK
        isWritableByOthers = status.st_mode & 0o022 != 0
        isOpenToOthers = status.st_mode & 0o077 != 0
        isRemoved = status.st_nlink == 0
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        modified = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// Reads the attributes of an open file; `nil` and `errno` on failure.
    init?(_ descriptor: Int32) {
        // Safety: the system writes one `stat` and keeps no address of it; so in the initializer below.
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Reads the attributes at a path without following a link; `nil` and `errno` on failure.
    init?(_ path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}

extension Date {
    /// Nanoseconds since 1970, as in file systems; a date out of range becomes the nearest value.
    var nanoseconds: Int64 {
        let seconds = timeIntervalSince1970
        guard seconds.isFinite else { return 0 }
        return Int64(max(-9e9, min(seconds, 9e9)) * 1e9)
    }
}
