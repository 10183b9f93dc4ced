import InterceptorKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension DiskFolder {
    /// Makes sure that the folder exists and no other user can use it, and removes the unfinished files of dead
    /// processes.
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
        // Its names tell anyone who knows a URL whether that URL was requested.
        guard !attributes.isOpenToOthers else {
            throw StoreError.unsafeFolder(path, "is open to users other than its owner")
        }
        // Safety: each path here is lent to C as a NUL-terminated copy, for the length of the call.
        guard unsafe mkdir(pendingFiles, 0o700) == 0 || errno == EEXIST else {
            throw StoreError.file(pendingFiles, "cannot be created", errno)
        }
        try removeStalePendingFiles()
    }

    /// Refuses a folder that is a symbolic link, and a path through another user's symbolic link.
    private func checkLinks() throws {
        let parts = path.split(at: "/")
        var current = path.begins(with: "/") ? "/" : ""
        for (index, part) in parts.enumerated() {
            current += part
            if let attributes = FileAttributes(current), attributes.isLink {
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
            current += "/"
        }
    }

    // A live writer holds a lock on its file, which ends with its process.
    private func removeStalePendingFiles() throws {
        for name in try Self.names(in: pendingFiles) where Self.isSlot(name) {
            let pending = pendingFiles + "/" + name
            guard let file = try OpenFile(reading: pending), file.lock() else { continue }
            unsafe unlink(pending)
        }
    }

    /// Creates a folder and its missing parents, for their owner alone.
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
