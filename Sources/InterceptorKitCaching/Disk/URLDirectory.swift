import InterceptorKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

struct URLDirectory: Sendable {
    struct Entry: Sendable {
        let response: StoredResponse
        /// The time of the last use, in nanoseconds since 1970.
        let used: Int64
    }

    // More than a server's own variants. Varying by fields that clients choose would otherwise fill the store.
    private static let variantLimit = 64

    // Safety: the path, and those of files in the directory, are lent to C for the length of a call.
    let path: String

    /// The state by which changes are detected; `nil` if the directory is absent.
    var state: DiskIndex.State? {
        guard let attributes = FileAttributes(path) else { return nil }
        guard attributes.isFolder else {
            // The store did not create this, and it blocks the directory.
            unsafe unlink(path)
            return nil
        }
        return DiskIndex.State(inode: attributes.inode, modified: attributes.modified)
    }

    func path(of slot: String) -> String { path + "/" + slot }

    func belongs(to url: String) -> Bool { path.ends(with: "/" + DiskFolder.name(of: url)) }

    /// Reads the responses in the directory. Damaged and misplaced files are removed.
    /// - Parameter prefix: The prefix of the wanted files. Defaults to all files.
    func entries(_ prefix: String = "") throws -> [Entry] {
        let names = try DiskFolder.names(in: path)
        var entries: [Entry] = []
        for slot in names where DiskFolder.isSlot(slot) && slot.begins(with: prefix) {
            let hasLaterHead = names.contains(slot + DiskFolder.freshSuffix)
            guard let entry = try entry(slot, hasLaterHead: hasLaterHead) else { continue }
            entries.append(entry)
        }
        return entries
    }

    private func entry(_ slot: String, hasLaterHead: Bool) throws -> Entry? {
        guard let file = try EntryFile(path(of: slot)) else { return nil }
        guard let response = file.response, isPlace(slot, of: response) else {
            remove(slot)
            return nil
        }
        let later = hasLaterHead ? try laterHead(slot, of: file) : nil
        return Entry(response: later ?? response, used: file.attributes.modified)
    }

    /// The head that replaces the one in a response's file.
    private func laterHead(_ slot: String, of file: EntryFile) throws -> StoredResponse? {
        let freshPath = path(of: slot) + DiskFolder.freshSuffix
        guard let fresh = try EntryFile(freshPath, kind: .freshened) else { return nil }
        guard fresh.header.nonce == file.header.nonce, fresh.header.id == file.header.id,
            let response = fresh.response, isPlace(slot, of: response)
        else {
            // It belongs to an earlier response.
            unsafe unlink(freshPath)
            return nil
        }
        return response
    }

    private func isPlace(_ slot: String, of response: StoredResponse) -> Bool {
        DiskFolder.slot(of: response.key, response.selection) == slot
            && belongs(to: response.key.url)
    }

    /// Removes the least recently used responses of a partition beyond the limit.
    func trimVariants(of key: CacheKey) throws {
        let prefix = DiskFolder.prefix(of: key)
        let slots = try DiskFolder.names(in: path).filter {
            DiskFolder.isSlot($0) && $0.begins(with: prefix)
        }
        guard slots.count > Self.variantLimit else { return }
        let times = slots.map { (slot: $0, used: FileAttributes(path(of: $0))?.modified ?? 0) }
        for entry in times.sorted(by: { $0.used < $1.used }).dropLast(Self.variantLimit) {
            remove(entry.slot)
        }
    }

    func remove(_ slot: String) {
        unsafe unlink(path(of: slot))
        unsafe unlink(path(of: slot) + DiskFolder.freshSuffix)
    }

    /// Removes all files that the store wrote in the directory, and the directory.
    func removeAll() throws {
        for name in try DiskFolder.names(in: path) where DiskFolder.isOwn(name) {
            guard unsafe unlink(path(of: name)) == 0 || errno == ENOENT else {
                throw StoreError.file(path(of: name), "cannot be removed", errno)
            }
        }
        removeIfEmpty()
    }

    func removeIfEmpty() { unsafe rmdir(path) }
}
