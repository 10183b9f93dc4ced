import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that is being written; its last reference removes it unless it was published.
///
/// Nothing is synced: after a loss of power, a file may lack bytes, which its checksums detect.
final class PendingFile: Sendable {
    // Safety: `path` is lent to C for the length of a call; `file` is open as long as this pending file.
    private let path: String
    private let file: OpenFile
    private let isOver = Lock(false)

    /// - Parameter name: Returns a unique name.
    init(in folder: DiskFolder, naming name: () -> String) throws {
        // The removal of stale files may see the file before it is locked, so check it after that. Another process may
        // also have emptied the whole folder.
        for _ in 0..<8 {
            let path = folder.pendingFiles + "/" + name()
            guard let file = try OpenFile(creating: path) else {
                try folder.prepare()
                continue
            }
            if file.lock(), file.attributes?.isRemoved == false {
                self.path = path
                self.file = file
                return
            }
        }
        throw StoreError.file(folder.pendingFiles, "cannot be written", EAGAIN)
    }

    deinit { discard() }

    func write(_ bytes: [UInt8], at offset: Int) throws {
        unsafe try bytes.withUnsafeBytes { bytes in
            unsafe try file.write(bytes, at: offset)
        }
    }

    /// Moves the file to its place, in one step.
    /// - Parameters:
    ///   - name: The file's name in the directory.
    ///   - directory: The directory, created if it is absent.
    ///   - moment: The time of the last use, in nanoseconds since 1970.
    func publish(
        as name: String,
        on directory: String,
        at moment: Int64
    ) throws {
        file.setModified(moment)
        let target = directory + "/" + name
        // Between the two steps, another process may remove the empty directory.
        for _ in 0..<8 {
            if unsafe rename(path, target) == 0 {
                isOver.withLock { $0 = true }
                return
            }
            guard errno == ENOENT else { break }
            guard unsafe mkdir(directory, 0o700) == 0 || errno == EEXIST else { break }
        }
        throw StoreError.file(target, "cannot be written", errno)
    }

    func discard() {
        let wasOver = isOver.withLock { isOver in
            defer { isOver = true }
            return isOver
        }
        if !wasOver { unsafe unlink(path) }
    }
}
