import InterceptorKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The folders that a download made for its destination.
struct MadeFolders {
    private var paths: [String] = []

    /// No folders.
    init() {}

    // Safety: the C functions below are lent paths without NUL, which the destination looked for.

    /// Makes the folders above a destination that are missing, with the permissions of the process's umask.
    init(above destination: DownloadDestination) throws(HTTP.TransferError) {
        var missing: [String] = []
        var folder = destination.folder
        while !folder.isEmpty, unsafe access(folder, F_OK) != 0, errno == ENOENT {
            missing.append(folder)
            guard let slash = folder.utf8.lastIndex(of: UInt8(ascii: "/")) else { break }
            folder = String(folder[..<slash])
        }
        for folder in missing.reversed() {
            if unsafe mkdir(folder, 0o777) == 0 {
                paths.append(folder)
            } else if errno != EEXIST {
                let number = errno
                removeIfEmpty()
                throw .file(folder, "cannot be made", number)
            }
        }
    }

    func removeIfEmpty() {
        for path in paths.reversed() { unsafe rmdir(path) }
    }
}
