public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A cache store in a folder that processes of one machine and one user may share.
///
/// ```swift
/// let store = DiskCacheStore("/var/cache/orders")
/// let cache = CacheInterceptor(store: store, partition: .oneIdentity)
/// ```
///
/// Each response is a file, which is written under another name and then renamed in one step. A killed process loses at
/// most the responses it was writing; their files are removed when a store first uses the folder. Nothing is synced, so
/// a loss of power may lose the last writes.
///
/// A response is verified by its checksums (XXH64) before its first byte is used. A file that is truncated, damaged,
/// exchanged or not written by a store is removed and counts as absent. Bodies up to 64 KiB are read into memory;
/// larger ones are streamed from the file, which stays readable if its response is replaced or evicted. The first use
/// in a process verifies a larger body as a whole; later uses verify each block as they read it, and a damaged block
/// fails the read and removes the file. The checksums detect accidents. File permissions protect against attackers: the
/// folder belongs to its owner alone (permissions 700, files 600); any other folder, and a symbolic link, is refused.
/// Responses are stored unencrypted: URLs and bodies, with any secrets in them.
///
/// When a limit is exceeded, the least recently used responses are evicted; access times have one-second resolution.
/// Each process counts its own additions, and measures those of others after adding a sixteenth of a limit, so each
/// process may exceed a limit by a sixteenth. Responses that are being written do not count.
///
/// The folder must be on a local file system. It may contain other files, which stay untouched.
public final class DiskCacheStore: CacheStore {
    private let folder: DiskFolder
    private let runtime: Runtime
    private let bounds: DiskBounds
    private let index = DiskIndex()
    private let compared = ComparedFiles()
    private let sizeTracker = SizeTracker()
    private let isOpen = Lock(false)
    private let changes = DiskChanges()

    /// Creates a store, which opens the folder at its first use. The defaults are those of ``MemoryCacheStore``.
    /// - Parameters:
    ///   - folder: The folder's path. It is created if it does not exist.
    ///   - maxBytes: The largest total size in bytes, including heads. Defaults to 100 MB.
    ///   - maxEntries: The largest number of responses. Defaults to 1,024.
    ///   - maxEntryBytes: The largest size of a response in bytes, including its head. Defaults to 5 MB.
    ///   - runtime: The clock and random source. Defaults to the live runtime.
    public init(
        _ folder: String,
        maxBytes: Int = 100_000_000,
        maxEntries: Int = 1024,
        maxEntryBytes: Int = 5_000_000,
        runtime: Runtime = .live
    ) {
        self.folder = DiskFolder(path: folder)
        self.runtime = runtime
        bounds = DiskBounds(
            maxBytes: max(0, maxBytes),
            maxEntries: max(0, maxEntries),
            maxEntryBytes: maxEntryBytes
        )
    }

    @concurrent
    public func responses(for key: CacheKey) async throws -> [StoredResponse] {
        try open()
        return try entry(for: key)?.responses ?? []
    }

    @concurrent
    public func body(of response: StoredResponse) async throws -> HTTP.Body? {
        try open()
        return try body(of: response, at: path(of: response))
    }

    @concurrent
    public func open<Decision: Sendable>(
        _ key: CacheKey,
        _ choose: @Sendable (_ found: [StoredResponse]) -> (Decision, StoredResponse?)
    ) async throws -> (decision: Decision, body: HTTP.Body?) {
        try open()
        let entry = try entry(for: key)
        let (decision, chosen) = choose(entry?.responses ?? [])
        guard let chosen, let path = entry?.path(of: chosen) else { return (decision, nil) }
        return (decision, try body(of: chosen, at: path))
    }

    private func entry(for key: CacheKey) throws -> DiskIndex.IndexEntry? {
        let known = index[key]
        let directory = known?.directory ?? directory(of: key.url)
        guard let state = directory.state else { return nil }
        if let known, known.state == state { return known }
        let found = try directory.entries(DiskFolder.prefix(of: key)).map(\.response)
            .filter { $0.key == key }
            .sorted { ($0.responseDate, $0.id) > ($1.responseDate, $1.id) }
        return index.keep(
            found,
            for: key,
            on: directory,
            in: state,
            at: runtime.date.nanoseconds
        )
    }

    private func body(of response: StoredResponse, at path: String) throws -> HTTP.Body? {
        guard let file = try file(of: response, at: path) else { return nil }
        guard let body = try file.body(in: compared) else {
            directory(of: response.key).remove(slot(of: response))
            return nil
        }
        let now = runtime.date.nanoseconds
        // At most once a second, so that serving one response repeatedly costs nothing.
        if (now &- file.attributes.modified).magnitude >= 1_000_000_000 { file.recordUse(now) }
        return body
    }

    @concurrent
    public func writer(
        for response: StoredResponse,
        length: Int?
    ) async throws -> (any CacheWriter)? {
        try open()
        let head = response.bytes
        let limit = bounds.maxBodyBytes(after: head.count)
        guard limit >= 0, length ?? 0 <= limit, bounds.maxEntries > 0 else { return nil }
        return DiskCacheWriter(self, response, head: head, nonce: runtime.random(), limit: limit)
    }

    @concurrent
    public func update(_ response: StoredResponse) async throws {
        try open()
        guard let file = try file(of: response) else { return }
        let bytes = file.header.bytes(freshening: response)
        let pending = try pending()
        try pending.write(bytes, at: 0)
        try pending.publish(
            as: slot(of: response) + DiskFolder.freshSuffix,
            on: folder.directory(of: response.key.url),
            at: runtime.date.nanoseconds
        )
        try recordGrowth(bytes: bytes.count, entries: 0, of: response.key)
    }

    @concurrent
    public func remove(_ response: StoredResponse) async throws {
        try open()
        guard try file(of: response) != nil else { return }
        let directory = directory(of: response.key)
        directory.remove(slot(of: response))
        directory.removeIfEmpty()
    }

    @concurrent
    public func removeAll(for url: String) async throws {
        try open()
        try await changes.make { try directory(of: url).removeAll() }
    }

    @concurrent
    public func removeAll() async throws {
        try open()
        for path in try folder.directories() {
            try await changes.make { try URLDirectory(path: path).removeAll() }
        }
    }

    @concurrent
    public func contents() async throws -> [StoredResponse] {
        try open()
        var entries: [URLDirectory.Entry] = []
        for path in try folder.directories() { entries += try URLDirectory(path: path).entries() }
        return entries.sorted { $0.used > $1.used }.map(\.response)
    }

    @concurrent
    public func usage() async throws -> CacheUsage {
        try open()
        return try folder.usage()
    }

    func pending() throws -> PendingFile {
        try PendingFile(in: folder) { runtime.randomBytes(16).hexadecimal }
    }

    /// Moves a complete file to its final name.
    /// - Returns: `false` if the response is no longer wanted.
    func publish(
        _ pending: PendingFile,
        as response: StoredResponse,
        if isWanted: @Sendable () -> Bool
    ) async throws -> Bool {
        try await changes.make {
            guard isWanted() else { return false }
            try pending.publish(
                as: slot(of: response),
                on: folder.directory(of: response.key.url),
                at: runtime.date.nanoseconds
            )
            return true
        }
    }

    /// Counts an addition, and trims the store if it exceeds a limit.
    func recordGrowth(bytes: Int, entries: Int, of key: CacheKey) throws {
        if entries > 0 { try directory(of: key.url).trimVariants(of: key) }
        try sizeTracker.note(bytes: bytes, entries: entries) {
            bounds.room(beside: try folder.trim(to: bounds))
        }
    }

    private func open() throws {
        if isOpen.withLock(\.self) { return }
        try folder.prepare()
        isOpen.withLock { $0 = true }
    }

    private func directory(of url: String) -> URLDirectory {
        URLDirectory(path: folder.directory(of: url))
    }

    /// The directory of a key; that of a recent lookup is known without hashing the URL again.
    private func directory(of key: CacheKey) -> URLDirectory {
        index[key]?.directory ?? directory(of: key.url)
    }

    private func slot(of response: StoredResponse) -> String {
        DiskFolder.slot(of: response.key, response.selection)
    }

    private func path(of response: StoredResponse) -> String {
        let known = index[response.key]
        return known?.path(of: response)
            ?? (known?.directory ?? directory(of: response.key.url)).path(of: slot(of: response))
    }

    /// The file of a response; `nil` if it is absent or holds another response.
    private func file(of response: StoredResponse, at path: String? = nil) throws -> EntryFile? {
        let path = path ?? self.path(of: response)
        guard let file = try EntryFile(path), file.header.id == response.id else { return nil }
        return file
    }
}

/// Publishes responses and removes those of a URL, one change at a time. A waiting task holds no thread.
private actor DiskChanges {
    func make<Result: Sendable>(_ change: @Sendable () throws -> Result) rethrows -> Result {
        try change()
    }
}
