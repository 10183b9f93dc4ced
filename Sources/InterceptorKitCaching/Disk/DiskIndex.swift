import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The heads that were read, and of what state of their directory.
///
/// Whatever is put in a directory or taken away changes the folder's time, so one system call tells whether
/// this process or another did.
final class DiskIndex: Sendable {
    /// A directory's state, as the file system tells it.
    struct State: Sendable, Equatable {
        let inode: UInt64
        let modified: Int64
    }

    struct IndexEntry: Sendable {
        let directory: URLDirectory
        /// The state before the directory was read; `nil` if it may have changed since and looks the same.
        let state: State?
        let responses: [StoredResponse]
        /// The responses' files, in the same order.
        let paths: [String]

        func path(of response: StoredResponse) -> String? {
            responses.firstIndex { $0.id == response.id }.map { paths[$0] }
        }
    }

    // Heads have a few kilobytes.
    private static let limit = 1024
    // File systems take the time from a clock that may stand for some milliseconds: two changes within
    // those look like one.
    private static let margin: Int64 = 100_000_000

    private let known = Lock<[CacheKey: IndexEntry]>([:])

    subscript(key: CacheKey) -> IndexEntry? { known.withLock { $0[key] } }

    /// Keeps what was read.
    /// - Parameters:
    ///   - responses: What was read.
    ///   - key: The key of them all.
    ///   - state: The directory's state before it was read.
    ///   - now: The present, in nanoseconds since 1970.
    /// - Returns: What is kept.
    @discardableResult
    func keep(
        _ responses: [StoredResponse],
        for key: CacheKey,
        on directory: URLDirectory,
        in state: State,
        at now: Int64
    ) -> IndexEntry {
        let isSettled = now &- state.modified > Self.margin
        let found = IndexEntry(
            directory: directory,
            state: isSettled ? state : nil,
            responses: responses,
            paths: responses.map { directory.place(of: DiskFolder.slot(of: key, $0.selection)) }
        )
        known.withLock { known in
            if known.count >= Self.limit { known = [:] }
            known[key] = found
        }
        return found
    }
}
