#if os(Linux)
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file system of 64 KiB.
package struct SmallDisk {
    package static let isPossible: Bool = {
        guard let disk = try? SmallDisk() else { return false }
        disk.unmount()
        return true
    }()

    package let folder: Folder

    package init() throws {
        folder = try Folder()
        guard unsafe mount("none", folder.path, "tmpfs", 0, "size=64k") == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    /// Leaves no room in it.
    package func fill() {
        let descriptor = unsafe open(folder["filling"], O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        let block = [UInt8](repeating: 0, count: 4096)
        while unsafe write(descriptor, block, block.count) > 0 {}
    }

    /// Makes room again.
    package func empty() { unsafe unlink(folder["filling"]) }

    package func unmount() { unsafe umount(folder.path) }
}
#endif
