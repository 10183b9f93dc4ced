import InterceptorKit
import InterceptorKitTesting

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif
#if canImport(Glibc)
package import Glibc
#elseif canImport(Musl)
package import Musl
#else
package import Darwin
#endif

/// A folder for one test, removed when it is released.
package final class Folder: Sendable {
    package let path: String

    package init() throws {
        // In memory where there is such a place: files are synced, and disks are slow at that.
        let isInMemory = FileManager.default.isWritableFile(atPath: "/dev/shm")
        let base = isInMemory ? "/dev/shm" : FileManager.default.temporaryDirectory.path
        path = "\(base)/interceptorkit-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        // Whatever mask another test has set meanwhile.
        unsafe chmod(path, 0o700)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package subscript(name: String) -> String { "\(path)/\(name)" }

    /// The names of what is in it, sorted.
    package var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    package func content(_ name: String) -> Data? {
        FileManager.default.contents(atPath: self[name])
    }

    package func write(_ content: Data, to name: String) throws {
        try content.write(to: URL(fileURLWithPath: self[name]))
    }

    package func permissions(_ name: String) -> Int? {
        var status = stat()
        return unsafe stat(self[name], &status) == 0 ? Int(status.st_mode & 0o777) : nil
    }

    package func setPermissions(_ permissions: mode_t, of name: String) {
        unsafe chmod(self[name], permissions)
    }
}
