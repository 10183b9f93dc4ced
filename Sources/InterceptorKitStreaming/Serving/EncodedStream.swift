import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The elements of a sequence as a body, one chunk each, with heartbeats between them.
///
/// A task reads the sequence, from the first read to the end of the stream, so that neither a heartbeat nor
/// ``cancel()`` has to wait for an element.
final class EncodedStream<Elements: AsyncSequence & Sendable>: HTTP.BodyStream {
    /// The comment that is sent after an interval of silence.
    struct Heartbeat: Sendable {
        let interval: Duration
        let comment: Data
    }

    private enum State {
        case unread
        case reading(Task<Void, Never>)
        case ended
    }

    private let elements: Elements
    private let encode: @Sendable (Elements.Element) throws -> Data
    private let heartbeat: Heartbeat?
    private let runtime: Runtime
    private let chunks: ChunkChannel
    private let state = Lock(State.unread)

    init(
        _ elements: Elements,
        first: Data? = nil,
        heartbeat: Heartbeat? = nil,
        runtime: Runtime,
        _ encode: @escaping @Sendable (Elements.Element) throws -> Data
    ) {
        self.elements = elements
        self.encode = encode
        self.heartbeat = heartbeat
        self.runtime = runtime
        chunks = ChunkChannel(runtime, first: first)
    }

    deinit { cancel() }

    nonisolated(nonsending) func next() async throws -> Data? {
        begin()
        return try await withTaskCancellationHandler {
            try await chunks.next()
        } onCancel: {
            cancel()
        }
    }

    func cancel() {
        let task = state.withLock { state in
            defer { state = .ended }
            if case .reading(let task) = state { return Task<Void, Never>?.some(task) }
            return nil
        }
        chunks.close()
        task?.cancel()
    }

    private func begin() {
        state.withLock { state in
            guard case .unread = state else { return }
            // The task must not capture `self`: the stream's release ends the task.
            let task = runtime.start("elements of a body") {
                [elements, encode, heartbeat, runtime, chunks] in
                await Self.run(elements, encode, heartbeat, runtime, chunks)
            }
            state = .reading(task)
        }
    }

    private static func run(
        _ elements: Elements,
        _ encode: @Sendable (Elements.Element) throws -> Data,
        _ heartbeat: Heartbeat?,
        _ runtime: Runtime,
        _ chunks: ChunkChannel
    ) async {
        await withDiscardingTaskGroup { group in
            if let heartbeat {
                group.addTask { await send(heartbeat, runtime, chunks) }
            }
            do {
                var iterator = elements.makeAsyncIterator()
                while await chunks.isWanted() {
                    guard let element = try await iterator.next() else {
                        chunks.finish(.success(nil))
                        break
                    }
                    chunks.write(try encode(element))
                }
            } catch {
                chunks.finish(.failure(error))
            }
            group.cancelAll()
        }
    }

    private static func send(
        _ heartbeat: Heartbeat,
        _ runtime: Runtime,
        _ chunks: ChunkChannel
    ) async {
        while let instant = chunks.nextHeartbeat(every: heartbeat.interval) {
            do { try await runtime.sleep(until: instant) } catch { return }
            chunks.beat(heartbeat.comment, every: heartbeat.interval)
        }
    }
}
