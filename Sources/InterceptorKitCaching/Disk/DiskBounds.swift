import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// How much a store may hold, and when it has to look whether it holds more.
///
/// What others add is not seen at once, so a store looks whenever it has added a sixteenth of what it may
/// hold, and then makes room for as much again.
struct DiskBounds: Sendable {
    let maxBytes: Int
    let maxEntries: Int
    let maxEntryBytes: Int

    /// What is left after room was made.
    var lowBytes: Int { maxBytes - maxBytes / 16 }
    var lowEntries: Int { maxEntries - maxEntries / 16 }

    /// The longest body that a response with such a head may have; below zero if it may have none.
    ///
    /// What would not fit into the room that is made is not taken, as it would be removed at once.
    func maxBodyBytes(after headLength: Int) -> Int {
        let size = min(maxEntryBytes, lowBytes)
        let sums = (max(0, size) / EntryHeader.blockSize + 1) * 8
        return size - EntryHeader.size - headLength - sums
    }

    func isExceeded(by usage: CacheUsage) -> Bool {
        usage.bytes > maxBytes || usage.entries > maxEntries
    }

    /// What may be added before the next look.
    func room(beside usage: CacheUsage) -> CacheUsage {
        CacheUsage(
            entries: min(maxEntries - usage.entries, maxEntries / 16),
            bytes: min(maxBytes - usage.bytes, maxBytes / 16)
        )
    }
}

/// Counts what a process adds, and has one task at a time look at the folder.
final class SizeTracker: Sendable {
    private struct State: Sendable {
        /// What may be added before the next look; nothing, as long as none was taken.
        var room = CacheUsage(entries: 0, bytes: 0)
        var isLooking = false

        var isUsedUp: Bool { room.bytes < 0 || room.entries < 0 }
    }

    private let state = Lock(State())

    /// - Parameter look: Makes room where it has to, and says how much there is.
    func note(
        bytes: Int,
        entries: Int,
        look: () throws -> CacheUsage
    ) throws {
        state.withLock { state in
            state.room.bytes -= bytes
            state.room.entries -= entries
        }
        // Others may add while one looks: what they add counts against the room that is found.
        while claim() {
            do {
                let room = try look()
                state.withLock { state in
                    state.room.bytes += room.bytes
                    state.room.entries += room.entries
                    state.isLooking = false
                }
            } catch {
                state.withLock { $0.isLooking = false }
                throw error
            }
            if !state.withLock(\.isUsedUp) { return }
        }
    }

    private func claim() -> Bool {
        state.withLock { state in
            guard state.isUsedUp, !state.isLooking else { return false }
            state.isLooking = true
            state.room = CacheUsage(entries: 0, bytes: 0)
            return true
        }
    }
}
