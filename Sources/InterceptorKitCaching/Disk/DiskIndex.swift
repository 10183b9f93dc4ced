import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The heads read from each directory, with the state of the directory at that time.
///
/// Adding or removing a file changes the directory's modification time, so one system call detects the changes of all
/// processes.
final class DiskIndex: Sendable {
    struct State: Sendable, Equatable {
        let inode: UInt64
        let modified: Int64
    }

    struct IndexEntry: Sendable {
        let directory: URLDirectory
        /// The state before the directory was read; `nil` if a later change might not alter it.
        let state: State?
        let responses: [StoredResponse]
        /// The responses' files, in the same order.
        let paths: [String]

        func path(of response: StoredResponse) -> String? {
            responses.firstIndex { $0.id == response.id }.map { paths[$0] }
        }
    }

    // A head takes a few kilobytes.
    private static let limit = 1024
    // File systems use a clock that may stand still for some milliseconds; two changes within them have the same time.
    private static let margin: Int64 = 100_000_000

    private let known = Lock<[CacheKey: IndexEntry]>([:])

    subscript(key: CacheKey) -> IndexEntry? { known.withLock { $0[key] } }

    /// Keeps the responses that were read.
    /// - Parameters:
    ///   - responses: The responses found.
    ///   - key: The key of all of them.
    ///   - state: The directory's state before it was read.
    ///   - now: The current time, in nanoseconds since 1970.
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
            paths: responses.map { directory.path(of: DiskFolder.slot(of: key, $0.selection)) }
        )
        known.withLock { known in
            if known.count >= Self.limit { known = [:] }
            known[key] = found
        }
        return found
    }
}
