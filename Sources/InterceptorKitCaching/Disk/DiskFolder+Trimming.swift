import InterceptorKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension DiskFolder {
    /// A response's file, as the file system knows it.
    private struct Item {
        let shelf: DiskShelf
        let slot: String
        let bytes: Int
        let used: Int64
    }

    func usage() throws -> CacheUsage { Self.usage(of: try items()) }

    /// Removes what was used longest ago until the bounds hold, with some room.
    /// - Returns: What is left.
    func trim(to bounds: DiskBounds) throws -> CacheUsage {
        let items = try items()
        var usage = Self.usage(of: items)
        guard bounds.isExceeded(by: usage) else { return usage }
        for item in items.sorted(by: { $0.used < $1.used }) {
            if usage.bytes <= bounds.lowBytes, usage.entries <= bounds.lowEntries { break }
            item.shelf.remove(item.slot)
            item.shelf.removeIfEmpty()
            usage.bytes -= item.bytes
            usage.entries -= 1
        }
        return usage
    }

    private static func usage(of items: [Item]) -> CacheUsage {
        CacheUsage(entries: items.count, bytes: items.reduce(0) { $0 + $1.bytes })
    }

    /// Asks for names and sizes alone, and reads no file.
    private func items() throws -> [Item] {
        var items: [Item] = []
        for path in try shelves() {
            let shelf = DiskShelf(path: path)
            let names = try Self.names(in: path)
            for slot in names where Self.isSlot(slot) {
                guard let facts = FileFacts(shelf.place(of: slot)) else { continue }
                let later = shelf.place(of: slot) + Self.freshSuffix
                let hasLater = names.contains(slot + Self.freshSuffix)
                let laterBytes = hasLater ? FileFacts(later)?.size ?? 0 : 0
                items.append(
                    Item(
                        shelf: shelf,
                        slot: slot,
                        bytes: facts.size + laterBytes,
                        used: facts.modified
                    )
                )
            }
            removeStrays(names, on: shelf)
        }
        return items
    }

    /// Removes later heads of responses that are gone, and the shelf of a URL that has none.
    private func removeStrays(_ names: [String], on shelf: DiskShelf) {
        for name in names where Self.isOwn(name) && !Self.isSlot(name) {
            let slot = String(name.dropLast(Self.freshSuffix.count))
            // Safety: the path is lent to C as a NUL-terminated copy, for the length of the call.
            if !names.contains(slot) { unsafe unlink(shelf.place(of: name)) }
        }
        if !names.contains(where: Self.isSlot) { shelf.removeIfEmpty() }
    }
}
