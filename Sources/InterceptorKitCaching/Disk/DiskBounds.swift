import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// The limits of a store, and the growth after which it measures its folder.
///
/// A store does not see the additions of other processes at once. It measures after adding a sixteenth of a limit, and
/// trims down to a sixteenth below the limit.
struct DiskBounds: Sendable {
    let maxBytes: Int
    let maxEntries: Int
    let maxEntryBytes: Int

    var lowBytes: Int { maxBytes - maxBytes / 16 }
    var lowEntries: Int { maxEntries - maxEntries / 16 }

    /// The longest body for a head of the given length, in bytes; negative if the head alone is too long.
    ///
    /// A response larger than the trimmed store is not accepted, because trimming would remove it at once.
    func maxBodyBytes(after headLength: Int) -> Int {
        let size = min(maxEntryBytes, lowBytes)
        let sums = (max(0, size) / EntryHeader.blockSize + 1) * 8
        return size - EntryHeader.size - headLength - sums
    }

    func isExceeded(by usage: CacheUsage) -> Bool {
        usage.bytes > maxBytes || usage.entries > maxEntries
    }

    func room(beside usage: CacheUsage) -> CacheUsage {
        CacheUsage(
            entries: min(maxEntries - usage.entries, maxEntries / 16),
            bytes: min(maxBytes - usage.bytes, maxBytes / 16)
        )
    }
}

/// Counts what this process adds, and lets one task at a time measure the folder.
final class SizeTracker: Sendable {
    private struct State: Sendable {
        /// The growth left before the next measurement; zero until the first one.
        var room = CacheUsage(entries: 0, bytes: 0)
        var isMeasuring = false

        var isUsedUp: Bool { room.bytes < 0 || room.entries < 0 }
    }

    private let state = Lock(State())

    /// - Parameter measure: Trims the folder if necessary, and returns the room that is left.
    func note(
        bytes: Int,
        entries: Int,
        measure: () throws -> CacheUsage
    ) throws {
        state.withLock { state in
            state.room.bytes -= bytes
            state.room.entries -= entries
        }
        // Growth during a measurement counts against the room that it returns.
        while claim() {
            do {
                let room = try measure()
                state.withLock { state in
                    state.room.bytes += room.bytes
                    state.room.entries += room.entries
                    state.isMeasuring = false
                }
            } catch {
                state.withLock { $0.isMeasuring = false }
                throw error
            }
            if !state.withLock(\.isUsedUp) { return }
        }
    }

    private func claim() -> Bool {
        state.withLock { state in
            guard state.isUsedUp, !state.isMeasuring else { return false }
            state.isMeasuring = true
            state.room = CacheUsage(entries: 0, bytes: 0)
            return true
        }
    }
}
