import InterceptorKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The destination of a download, verified to be a place for a file.
struct DownloadDestination {
    let path: String
    let permissions: mode_t?

    /// The suffix of a kept part's name.
    static let keptEnding = ".partial"

    /// Whether a name may be that of a part or its record, also on file systems that ignore case.
    static func isReserved(_ name: some StringProtocol) -> Bool {
        let name = name.lowercased()
        return [keptEnding, keptEnding + ".json", keptEnding + ".json.new"].contains(
            where: name.ends
        )
    }

    init(_ path: String) throws(HTTP.TransferError) {
        guard let last = path.utf8.last, last != UInt8(ascii: "/"), !path.utf8.contains(0) else {
            throw .destination(path, "it does not name a file")
        }
        guard !Self.isReserved(path) else {
            throw .destination(path, "names that end so are those of kept parts and their records")
        }
        self.path = path
        // Safety: the C functions below are lent paths without NUL, seen above, and a `stat` for the length of a call.
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw .file(path, "cannot be written", errno) }
            permissions = nil
            return
        }
        // Renaming would replace the link instead of its target, and a device too if the user is root.
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .destination(path, "the path is a folder, link or device, not a file")
        }
        permissions = status.st_mode & 0o777
    }

    var isTaken: Bool { permissions != nil }

    func checkIsFree(unless replaces: Bool) throws(HTTP.TransferError) {
        if isTaken, !replaces { throw .exists(path) }
    }

    func sibling(_ name: String) -> String { folder + "/" + name }

    var folder: String {
        guard let slash = path.unicodeScalars.lastIndex(of: "/") else { return "." }
        return String(path[..<slash])
    }

    /// Moves a complete file to this destination, in one step.
    func receive(_ file: PartialFile, replacing: Bool) throws(HTTP.TransferError) {
        try file.sync()
        if replacing {
            _ = try DownloadDestination(path)
            try move(file)
        } else {
            try place(file)
        }
        syncFolder()
    }

    private func move(_ file: PartialFile) throws(HTTP.TransferError) {
        guard unsafe rename(file.path, path) == 0 else {
            throw .file(path, "cannot be written", errno)
        }
    }

    // Unlike `rename`, `link` fails if the name is taken.
    private func place(_ file: PartialFile) throws(HTTP.TransferError) {
        if unsafe link(file.path, path) == 0 {
            file.remove()
            return
        }
        guard errno != EEXIST else { throw .exists(path) }
        try claimName(for: file)
    }

    /// Places a file on a file system without hard links: claims the name if it is free, then replaces the claim.
    func claimName(for file: PartialFile) throws(HTTP.TransferError) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            guard errno != EEXIST else { throw .exists(path) }
            throw .file(path, "cannot be written", errno)
        }
        close(descriptor)
        do {
            try move(file)
        } catch {
            unsafe unlink(path)
            throw error
        }
    }

    // Makes the name survive a loss of power. A failure is ignored: some file systems cannot, and the file is in place.
    private func syncFolder() {
        let descriptor = unsafe open(folder.isEmpty ? "/" : folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
