import InterceptorKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension DiskFolder {
    private struct Item {
        let directory: URLDirectory
        let slot: String
        let bytes: Int
        let used: Int64
    }

    func usage() throws -> CacheUsage { Self.usage(of: try items()) }

    /// Removes the least recently used responses until the bounds hold with some room.
    /// - Returns: The usage after that.
    func trim(to bounds: DiskBounds) throws -> CacheUsage {
        let items = try items()
        var usage = Self.usage(of: items)
        guard bounds.isExceeded(by: usage) else { return usage }
        for item in items.sorted(by: { $0.used < $1.used }) {
            if usage.bytes <= bounds.lowBytes, usage.entries <= bounds.lowEntries { break }
            item.directory.remove(item.slot)
            item.directory.removeIfEmpty()
            usage.bytes -= item.bytes
            usage.entries -= 1
        }
        return usage
    }

    private static func usage(of items: [Item]) -> CacheUsage {
        CacheUsage(entries: items.count, bytes: items.reduce(0) { $0.saturatingAdding($1.bytes) })
    }

    /// Lists all files by name and size, without reading them.
    private func items() throws -> [Item] {
        var items: [Item] = []
        for path in try directories() {
            let directory = URLDirectory(path: path)
            let names = try Self.names(in: path)
            for slot in names where Self.isSlot(slot) {
                guard let attributes = FileAttributes(directory.path(of: slot)) else { continue }
                let later = directory.path(of: slot) + Self.freshSuffix
                let hasLater = names.contains(slot + Self.freshSuffix)
                let laterBytes = hasLater ? FileAttributes(later)?.size ?? 0 : 0
                items.append(
                    Item(
                        directory: directory,
                        slot: slot,
                        bytes: attributes.size.saturatingAdding(laterBytes),
                        used: attributes.modified
                    )
                )
            }
            removeStrays(names, on: directory)
        }
        return items
    }

    /// Removes later heads whose responses are gone, and the directory of a URL without responses.
    private func removeStrays(_ names: [String], on directory: URLDirectory) {
        for name in names where Self.isOwn(name) && !Self.isSlot(name) {
            let slot = String(name.dropLast(Self.freshSuffix.count))
            // Safety: the path is lent to C as a NUL-terminated copy, for the length of the call.
            if !names.contains(slot) { unsafe unlink(directory.path(of: name)) }
        }
        if !names.contains(where: Self.isSlot) { directory.removeIfEmpty() }
    }
}
