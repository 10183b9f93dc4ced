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

/// What the file system says about a file or folder.
struct FileAttributes: Sendable {
    let inode: UInt64
    let size: Int
    let owner: UInt32
    let isFile: Bool
    let isFolder: Bool
    let isLink: Bool
    /// Whether others than its owner may write to it.
    let isWritableByOthers: Bool
    /// Whether others than its owner may do anything with it.
    let isOpenToOthers: Bool
    /// Whether no name leads to it any more.
    let isRemoved: Bool
    /// When it was written last, in nanoseconds since 1970.
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

    /// What a descriptor leads to; `nil` and `errno` if that cannot be said.
    init?(_ descriptor: Int32) {
        // Safety: the system writes one `stat` and keeps no address of it; so below.
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// What is at a path, if that is a link the link; `nil` and `errno` if that cannot be said.
    init?(_ path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}

extension Date {
    /// Nanoseconds since 1970, as file systems count; of a date too far away the last that can be held.
    var nanoseconds: Int64 {
        let seconds = timeIntervalSince1970
        guard seconds.isFinite else { return 0 }
        return Int64(max(-9e9, min(seconds, 9e9)) * 1e9)
    }
}
