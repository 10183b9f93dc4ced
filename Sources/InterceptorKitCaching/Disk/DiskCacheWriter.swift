import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Writes a response in blocks; a response of a single block touches the disk only when it is complete.
final class DiskCacheWriter: CacheWriter {
    private struct Progress: Sendable {
        var block: [UInt8] = []
        var sums: [UInt64] = []
        var length = 0
        var pending: PendingFile?
    }

    private enum State: Sendable {
        case ready(Progress)
        /// A task is writing, outside the lock.
        case busy
        case over
    }

    private let store: DiskCacheStore
    private let response: StoredResponse
    private let head: [UInt8]
    private let nonce: UInt64
    private let limit: Int
    private let state = Lock(State.ready(Progress()))

    /// - Parameter limit: The longest accepted body, in bytes.
    init(
        _ store: DiskCacheStore,
        _ response: StoredResponse,
        head: [UInt8],
        nonce: UInt64,
        limit: Int
    ) {
        self.store = store
        self.response = response
        self.head = head
        self.limit = limit
        self.nonce = nonce
    }

    deinit { abandon() }

    @concurrent
    func write(_ chunk: Data) async throws {
        try await advance { progress in
            guard chunk.count <= limit - progress.length else {
                throw StoreError.tooLarge(limit)
            }
            progress.length += chunk.count
            var rest = chunk
            while !rest.isEmpty {
                let part = rest.prefix(EntryHeader.blockSize - progress.block.count)
                progress.block += part
                rest = rest.dropFirst(part.count)
                if progress.block.count == EntryHeader.blockSize { try flush(&progress) }
            }
        }
    }

    @concurrent
    func commit(if isWanted: @Sendable () -> Bool) async throws -> Bool {
        var size: Int?
        try await advance { progress in size = try await publish(&progress, if: isWanted) }
        abandon()
        guard let size else { return false }
        try store.recordGrowth(bytes: size, entries: 1, of: response.key)
        return true
    }

    func abandon() {
        let pending = state.withLock { state -> PendingFile? in
            defer { state = .over }
            guard case .ready(let progress) = state else { return nil }
            return progress.pending
        }
        pending?.discard()
    }

    /// Runs a step unless writing is over; a failure ends writing and leaves nothing behind.
    private func advance(_ step: (inout Progress) async throws -> Void) async throws {
        guard var progress = take() else { return }
        do { try await step(&progress) } catch {
            progress.pending?.discard()
            abandon()
            throw error
        }
        if !release(progress) { progress.pending?.discard() }
    }

    /// Takes the progress for exclusive use. Returns `nil` if writing is over, and ends it if two tasks write at once,
    /// because their bytes would have no order.
    private func take() -> Progress? {
        state.withLock { state in
            guard case .ready(let progress) = state else {
                state = .over
                return nil
            }
            state = .busy
            return progress
        }
    }

    /// - Returns: `false` if the response was abandoned meanwhile.
    private func release(_ progress: Progress) -> Bool {
        state.withLock { state in
            guard case .busy = state else { return false }
            state = .ready(progress)
            return true
        }
    }

    private func flush(_ progress: inout Progress) throws {
        let pending = try progress.pending ?? store.pending()
        progress.pending = pending
        let index = progress.sums.count
        try pending.write(
            progress.block,
            at: EntryHeader.size + head.count + index * EntryHeader.blockSize
        )
        addSum(&progress)
        progress.block.removeAll(keepingCapacity: true)
    }

    private func addSum(_ progress: inout Progress) {
        progress.sums.append(XXHash64.sum(progress.block, seed: nonce))
    }

    /// - Returns: The file's size in bytes; `nil` if the response is not wanted.
    private func publish(
        _ progress: inout Progress,
        if isWanted: @Sendable () -> Bool
    ) async throws -> Int? {
        let pending = try progress.pending ?? store.pending()
        progress.pending = pending
        let offset = EntryHeader.size + head.count + progress.sums.count * EntryHeader.blockSize
        if !progress.block.isEmpty { addSum(&progress) }
        var table = EntryBytesWriter()
        for sum in progress.sums { table.append(sum) }
        let header = EntryHeader(
            kind: .response,
            nonce: nonce,
            id: response.id,
            headLength: head.count,
            bodyLength: progress.length
        )
        let beginning = header.bytes(before: head)
        if offset == beginning.count {
            try pending.write(beginning + progress.block + table.bytes, at: 0)
        } else {
            try pending.write(progress.block + table.bytes, at: offset)
            try pending.write(beginning, at: 0)
        }
        let isDone = try await store.publish(pending, as: response, if: isWanted)
        return isDone ? header.fileSize : nil
    }
}
