import InterceptorKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension DiskFolder {
    /// Makes sure that there is a folder which nobody else can use, and removes what processes
    /// that died were writing.
    func prepare() throws {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw StoreError.file(path, "cannot be opened", ENOENT)
        }
        try checkLinks()
        try make(path)
        guard let attributes = FileAttributes(path) else {
            throw StoreError.file(path, "cannot be opened", errno)
        }
        guard attributes.isFolder else {
            throw StoreError.file(path, "cannot be opened", ENOTDIR)
        }
        guard attributes.owner == geteuid() else {
            throw StoreError.unsafeFolder(
                path,
                "belongs to a user other than this process's"
            )
        }
        // The names in it say which URLs were asked for, to those who know them.
        guard !attributes.isOpenToOthers else {
            throw StoreError.unsafeFolder(path, "is open to users other than its owner")
        }
        // Safety: each path here is lent to C as a NUL-terminated copy, for the length of the call.
        guard unsafe mkdir(pendingFiles, 0o700) == 0 || errno == EEXIST else {
            throw StoreError.file(pendingFiles, "cannot be created", errno)
        }
        try removeStalePendingFiles()
    }

    /// Refuses a folder that is a link, and a way to it that another user can lead elsewhere.
    private func checkLinks() throws {
        let parts = path.split(at: "/")
        var way = path.begins(with: "/") ? "/" : ""
        for (index, part) in parts.enumerated() {
            way += part
            if let attributes = FileAttributes(way), attributes.isLink {
                guard index < parts.count - 1 else {
                    throw StoreError.unsafeFolder(path, "is a symbolic link")
                }
                guard attributes.owner == geteuid() || attributes.owner == 0 else {
                    throw StoreError.unsafeFolder(
                        path,
                        "lies behind a symbolic link of another user"
                    )
                }
            }
            way += "/"
        }
    }

    // The writer holds a lock, which ends with its process.
    private func removeStalePendingFiles() throws {
        for name in try Self.names(in: pendingFiles) where Self.isSlot(name) {
            let pending = pendingFiles + "/" + name
            guard let file = try OpenFile(reading: pending), file.lock() else { continue }
            unsafe unlink(pending)
        }
    }

    /// Creates a folder and those around it, for their owner alone.
    private func make(_ folder: String) throws {
        if unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST { return }
        let parts = folder.split(at: "/")
        guard errno == ENOENT, parts.count > 1 else {
            throw StoreError.file(folder, "cannot be created", errno)
        }
        try make((folder.begins(with: "/") ? "/" : "") + parts.dropLast().joined(separator: "/"))
        guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw StoreError.file(folder, "cannot be created", errno)
        }
    }
}

extension StoreError {
    fileprivate static func unsafeFolder(_ path: String, _ problem: String) -> StoreError {
        StoreError(
            .unsafeFolder,
            "The folder \(HTTP.printable(path)) \(problem), so others could read or change what is in it. "
                + "Nothing was read from it. Give the store a folder of its own (chmod 700)."
        )
    }
}
