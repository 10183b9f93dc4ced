import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The store's folder: a directory for each URL, named by the URL's SHA-256, and `writing`.
///
/// A directory holds a file for each partition and selection, and beside it a `.fresh` file if the response has a later
/// head. Files are written in `writing` and moved to their place in one step.
struct DiskFolder: Sendable {
    let path: String

    var pendingFiles: String { path + "/writing" }

    func directory(of url: String) -> String { path + "/" + Self.name(of: url) }

    func directories() throws -> [String] {
        try Self.names(in: path).filter { Self.isName($0, digits: 64) }.map { path + "/" + $0 }
    }

    static func name(of url: String) -> String { HashAlgorithm.sha256.hash(url.utf8).hexadecimal }

    /// The name of the file for a partition and selection; it begins with the partition's prefix.
    ///
    /// Two responses with the same name replace each other. Neither is served for the other, because each head holds
    /// its own key and selection.
    static func slot(of key: CacheKey, _ selection: [StoredResponse.Selector]) -> String {
        var sum: UInt64 = 0
        for selector in selection {
            sum = XXHash64.sum(selector.name.utf8, seed: sum)
            sum = selector.value.map { XXHash64.sum($0.utf8, seed: sum) } ?? ~sum
        }
        return prefix(of: key) + digits(sum)
    }

    /// The prefix of the names of a partition's files.
    static func prefix(of key: CacheKey) -> String { digits(XXHash64.sum(key.partition.utf8)) }

    private static func digits(_ word: UInt64) -> String {
        // Safety: the digits are made before the word's bytes are taken back.
        unsafe withUnsafeBytes(of: word.bigEndian) { unsafe $0.hexadecimal }
    }

    /// Whether a name is valid for a response's file, finished or not.
    static func isSlot(_ name: String) -> Bool { isName(name, digits: 32) }

    static let freshSuffix = ".fresh"

    /// Whether the store writes files of this name. It leaves all others alone.
    static func isOwn(_ name: String) -> Bool {
        isSlot(name) || name.rest(before: freshSuffix).map { isSlot("\($0)") } == true
    }

    private static func isName(_ name: String, digits: Int) -> Bool {
        name.utf8.count == digits
            && name.utf8.allSatisfy {
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                    || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
            }
    }

    /// The names in a folder, without hidden ones; empty if there is no folder.
    static func names(in folder: String) throws -> [String] {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let descriptor = unsafe open(folder, flags)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR || errno == ELOOP { return [] }
            throw StoreError.file(folder, "cannot be opened", errno)
        }
        // Safety: `listing` owns the descriptor from here on and is used by this call alone. An entry is valid until
        // the next `readdir`; its NUL-terminated name is copied before that.
        guard let listing = unsafe fdopendir(descriptor) else {
            let reason = errno
            close(descriptor)
            throw StoreError.file(folder, "cannot be read", reason)
        }
        defer { unsafe closedir(listing) }
        var names: [String] = []
        while let entry = unsafe readdir(listing) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { text in
                unsafe text.withMemoryRebound(to: CChar.self, capacity: 256) { text in
                    unsafe String(cString: text)
                }
            }
            if !name.begins(with: ".") { names.append(name) }
        }
        return names
    }
}
