public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A cache store in a folder, for the processes of one machine and one user.
///
/// ```swift
/// let store = DiskCacheStore("/var/cache/orders")
/// let cache = CacheInterceptor(store: store, partition: .oneIdentity)
/// ```
///
/// A response is a file. It is written aside and moved to its place in one step, so a process that is killed
/// loses at most what it was writing; its leftovers are removed when a store on the folder is first used.
/// Nothing is synced, so a loss of power may lose the last writes.
///
/// A response is compared with its checksums (XXH64) before the first byte is used: a file that was
/// truncated, damaged, exchanged or not written by a store is removed and counts as absent. Bodies up to 64
/// KiB are read into memory; larger ones are streamed from the file, which stays readable when its response
/// is replaced or evicted. A larger body is compared as a whole by its first use in a process, and after that
/// block by block while it is read: if it was damaged in between, reading it fails, and its file is removed.
/// The checksums detect accidents. The folder protects against attackers: it belongs
/// only to its owner (permissions 700, files 600), and any other folder is refused, and so is a link.
/// Responses are stored unencrypted, URLs and bodies with any secrets in them.
///
/// When a limit is exceeded, the least recently used responses are evicted; access times have one-second
/// resolution. Each process counts what it adds and checks the others' additions whenever that is a sixteenth
/// of a limit, so each of them may exceed it by a sixteenth. Responses that are being written do not count.
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

    /// Creates a store. The folder is opened when the store is first used.
    ///
    /// The defaults are those of ``MemoryCacheStore``.
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
        // Seldom enough to cost nothing, where one response is served over and over.
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

    /// Puts a response in its place.
    /// - Returns: `false` if it is not wanted by then.
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

    /// Counts what was added, and makes room if there is too much.
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

    /// The directory of a key that was looked up lately, without hashing the URL again.
    private func directory(of key: CacheKey) -> URLDirectory {
        index[key]?.directory ?? directory(of: key.url)
    }

    private func slot(of response: StoredResponse) -> String {
        DiskFolder.slot(of: response.key, response.selection)
    }

    private func path(of response: StoredResponse) -> String {
        let known = index[response.key]
        return known?.path(of: response)
            ?? (known?.directory ?? directory(of: response.key.url)).place(of: slot(of: response))
    }

    /// The file of a response; `nil` if it is not there, or another took its place.
    private func file(of response: StoredResponse, at path: String? = nil) throws -> EntryFile? {
        let path = path ?? self.path(of: response)
        guard let file = try EntryFile(path), file.header.id == response.id else { return nil }
        return file
    }
}

/// Puts responses in their places and removes those of a URL, one at a time, so that neither is done in the
/// middle of the other. A task that waits holds no thread.
private actor DiskChanges {
    func make<Result: Sendable>(_ change: @Sendable () throws -> Result) rethrows -> Result {
        try change()
    }
}
