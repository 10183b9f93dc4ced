#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The heads that were read, and of what state of their shelf.
///
/// Whatever is put on a shelf or taken away changes the folder's time, so one system call tells whether
/// another process did.
final class DiskIndex: Sendable {
    /// A shelf's state, as the file system tells it.
    struct State: Sendable, Equatable {
        let inode: UInt64
        let modified: Int64
    }

    private struct Shelf: Sendable {
        let state: State
        let responses: [String: [StoredResponse]]
    }

    // Heads have a few kilobytes.
    private static let limit = 1024
    // File systems take the time from a clock that may stand for some milliseconds: two changes within
    // those look like one.
    private static let margin: Int64 = 100_000_000

    private let shelves = Lock<[String: Shelf]>([:])

    /// The responses in a partition; `nil` if they have to be read.
    func responses(for key: CacheKey, in state: State) -> [StoredResponse]? {
        shelves.withLock { shelves in
            guard let shelf = shelves[key.url], shelf.state == state else { return nil }
            return shelf.responses[key.partition] ?? []
        }
    }

    /// Keeps what was read.
    /// - Parameters:
    ///   - state: The shelf's state before it was read.
    ///   - now: The present, in nanoseconds since 1970.
    func keep(
        _ responses: [String: [StoredResponse]],
        for url: String,
        in state: State,
        at now: Int64
    ) {
        guard now &- state.modified > Self.margin else { return }
        shelves.withLock { shelves in
            if shelves.count >= Self.limit { shelves = [:] }
            shelves[url] = Shelf(state: state, responses: responses)
        }
    }

    func forget(_ url: String) {
        shelves.withLock { _ = $0.removeValue(forKey: url) }
    }

    func forgetAll() { shelves.withLock { $0 = [:] } }
}
