import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension HTTP {
    /// A stream of bytes as they arrive, which a transport implements to return a body.
    ///
    /// A body calls ``next()`` from one reader at a time. A stream that holds a resource releases it when the stream
    /// ends, when ``cancel()`` is called, and when its last reference is released.
    public protocol BodyStream: AnyObject, Sendable {
        /// Returns the next chunk; `nil` at the end and from then on.
        /// - Throws: `CancellationError` if the reading task is cancelled or ``cancel()`` was called.
        nonisolated(nonsending) func next() async throws -> Data?

        /// Ends the stream from outside. May be called at any time and more than once.
        func cancel()

        /// The trailer fields; `nil` before the end, and if there are none. Defaults to `nil`.
        var trailers: HTTP.Headers? { get }
    }
}

extension HTTP.BodyStream {
    public var trailers: HTTP.Headers? { nil }
}

/// The only reader of a stream. A reader that is released before the end, as by leaving a loop early, cancels the
/// stream.
final class BodyReader: Sendable {
    private let stream: any HTTP.BodyStream
    // In reverse order, so that taking the next one moves no other.
    private let peeked: Lock<[Data]>
    private let failure: (any Error)?
    private let end: BodyEnd

    init(
        _ stream: any HTTP.BodyStream,
        after peeked: [Data] = [],
        failing failure: (any Error)? = nil,
        until end: BodyEnd = BodyEnd()
    ) {
        self.stream = stream
        self.peeked = Lock(peeked.reversed())
        self.failure = failure
        self.end = end
    }

    deinit { cancel() }

    func cancel() {
        if end.isReached { return }
        end.reach()
        stream.cancel()
    }

    nonisolated(nonsending) func next() async throws -> Data? {
        let seen = peeked.withLock { $0.popLast() }
        if let seen { return seen }
        if let failure { throw failure }
        let chunk = try await stream.next()
        if chunk == nil { end.reach() }
        return chunk
    }
}

/// A record that a stream was read to its end or released, and so holds nothing open.
final class BodyEnd: Sendable {
    /// The end of bodies that have arrived.
    static let past: BodyEnd = {
        let end = BodyEnd()
        end.reach()
        return end
    }()

    private let reached = Lock(false)

    var isReached: Bool { reached.withLock { $0 } }

    func reach() { reached.withLock { $0 = true } }
}

/// A body that can be read once, and peeked at before that.
final class OneShotBody: Sendable {
    private struct State {
        var peeked: [Data] = []
        // Kept for the reader, since a stream may claim to be at its end after an error.
        var failure: (any Error)?
        var isClaimed = false
    }

    let length: Int?
    private let stream: any HTTP.BodyStream
    // The body that the stream wraps, if any.
    private let base: OneShotBody?
    private let state: Lock<State>
    private let end: BodyEnd

    var trailers: HTTP.Headers? { stream.trailers ?? base?.trailers }

    var isOpen: Bool { !end.isReached }

    init(length: Int?, _ stream: any HTTP.BodyStream, over base: OneShotBody? = nil) {
        self.length = length
        self.stream = stream
        self.base = base
        state = Lock(State())
        end = BodyEnd()
    }

    /// Creates a body that has arrived.
    init(_ content: Data) {
        length = content.count
        stream = EmptyStream.shared
        base = nil
        state = Lock(State(peeked: content.isEmpty ? [] : [content]))
        end = .past
    }

    /// The content of an unread body that has arrived.
    var content: Data? {
        guard stream === EmptyStream.shared else { return nil }
        return state.withLock { $0.isClaimed ? nil : $0.peeked.first ?? Data() }
    }

    /// Reads a body that has arrived; returns `nil` for any other.
    func claimContent() throws(HTTP.ContentError) -> Data? {
        guard stream === EmptyStream.shared else { return nil }
        let found: Data? = state.withLock { state in
            if state.isClaimed { return nil }
            state.isClaimed = true
            return state.peeked.first ?? Data()
        }
        guard let found else { throw .alreadyRead }
        return found
    }

    func claim() throws(HTTP.ContentError) -> BodyReader {
        let found: State? = state.withLock { state in
            if state.isClaimed { return nil }
            state.isClaimed = true
            return state
        }
        guard let found else { throw .alreadyRead }
        return BodyReader(stream, after: found.peeked, failing: found.failure, until: end)
    }

    func takeUnread<Stream: HTTP.BodyStream>(as type: Stream.Type) -> Stream? {
        guard let unread = stream as? Stream else { return nil }
        let isClaimed = state.withLock { state in
            guard !state.isClaimed, state.peeked.isEmpty, state.failure == nil else { return false }
            state.isClaimed = true
            return true
        }
        guard isClaimed else { return nil }
        end.reach()
        return unread
    }

    func peek(upTo limit: Int) async throws -> Data {
        // Claimed meanwhile, so that no reader can come between.
        let found: State? = state.withLock { state in
            if state.isClaimed { return nil }
            state.isClaimed = true
            return state
        }
        guard var found else { throw HTTP.ContentError.alreadyRead }
        defer {
            found.isClaimed = false
            state.withLock { $0 = found }
        }
        var count = found.peeked.reduce(0) { $0 + $1.count }
        while count < limit {
            if let failure = found.failure { throw failure }
            do {
                guard let chunk = try await stream.next() else { break }
                found.peeked.append(chunk)
                count += chunk.count
            } catch {
                found.failure = error
            }
        }
        return found.peeked.reduce(into: Data()) { $0.append($1) }
    }

    func cancel() {
        end.reach()
        stream.cancel()
    }
}

/// An asynchronous sequence's chunks.
final class SequenceStream<Chunks: AsyncSequence>: HTTP.BodyStream, @unchecked Sendable
where Chunks.Element == Data {
    // Invariant behind `@unchecked Sendable`: a body lets one reader at a time call `next`, and that reader alone
    // touches the iterator.
    private var iterator: Chunks.AsyncIterator
    private let isCancelled = Lock(false)

    init(_ chunks: Chunks) { iterator = chunks.makeAsyncIterator() }

    nonisolated(nonsending) func next() async throws -> Data? {
        if isCancelled.withLock({ $0 }) { throw CancellationError() }
        return try await iterator.next()
    }

    func cancel() { isCancelled.withLock { $0 = true } }
}

final class EmptyStream: HTTP.BodyStream {
    // Has no state.
    static let shared = EmptyStream()

    private init() {}

    nonisolated(nonsending) func next() async throws -> Data? { nil }
    func cancel() {}
}

/// The bytes of a file in chunks, so that a large file is never completely in memory.
///
/// It uses the C library, because FoundationEssentials has no file handle.
final class FileStream: HTTP.BodyStream {
    // Large enough for system calls to cost little, small enough to hold one for each upload.
    private static let chunkSize = 64 * 1024

    private let path: String
    private let descriptor: Int32
    /// The offset to stop at; `nil` for the end of a file that states no size.
    private let end: Int?
    private let position: Lock<Int?>

    /// Opens a file, which may take long on a slow disk or network.
    @concurrent
    static func open(_ region: HTTP.FileRegion) async throws(HTTP.ContentError) -> FileStream {
        let descriptor = openForReading(region.path)
        guard descriptor >= 0 else { throw .unreadableFile(region.path, Self.reason()) }
        var status = stat()
        let isKnown = unsafe fstat(descriptor, &status) == 0
        let reason = Self.reason()
        // Its `deinit` closes the file, even if the file is refused.
        let stream = FileStream(region, descriptor, size: Int(status.st_size))
        guard isKnown else { throw .unreadableFile(region.path, reason) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadableFile(
                region.path,
                "it is a folder, a pipe or a device; send what can be read from it as a stream"
            )
        }
        guard stream.end ?? 0 <= status.st_size else {
            throw .unreadableFile(
                region.path,
                "it has \(status.st_size) bytes and not \(stream.end ?? 0)"
            )
        }
        return stream
    }

    private init(_ region: HTTP.FileRegion, _ descriptor: Int32, size: Int) {
        path = region.path
        self.descriptor = descriptor
        end = region.range?.upperBound ?? (size == 0 ? nil : size)
        position = Lock(region.range?.lowerBound ?? 0)
    }

    deinit { close(descriptor) }

    @concurrent
    func next() async throws -> Data? {
        guard let start = position.withLock(\.self) else { return nil }
        let wanted = min(Self.chunkSize, end.map { $0 - start } ?? Self.chunkSize)
        guard wanted > 0 else { return nil }
        // Safety: `pread` writes at most `wanted` bytes, the size of the buffer; the descriptor is open until `deinit`.
        var chunk = Data(count: wanted)
        let count = unsafe chunk.withUnsafeMutableBytes { buffer in
            unsafe pread(descriptor, buffer.baseAddress, wanted, off_t(start))
        }
        if count == 0, end == nil { return nil }
        guard count > 0 else {
            throw HTTP.ContentError.unreadableFile(
                path,
                count < 0 ? Self.reason() : "it became shorter"
            )
        }
        position.withLock { if $0 != nil { $0 = start + count } }
        return chunk.prefix(count)
    }

    func cancel() { position.withLock { $0 = nil } }

    private static func reason() -> String {
        unsafe String(cString: strerror(errno))
    }
}

// O_NONBLOCK, because opening a pipe would wait for its writer.
private func openForReading(_ path: String) -> Int32 {
    unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
}

extension HTTP.FileRegion {
    /// The number of bytes; `nil` if the file cannot be read, is a pipe or the like, or states the size 0 although it
    /// has content, as in `/proc`.
    var length: Int? {
        if let range { return range.count }
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        if status.st_size > 0 { return Int(status.st_size) }
        let descriptor = openForReading(path)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var byte: UInt8 = 0
        // Safety: one byte is written at most.
        return unsafe pread(descriptor, &byte, 1, 0) == 0 ? 0 : nil
    }
}
