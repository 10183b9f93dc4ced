import Foundation

/// What of a body has arrived and waits for its reader: the first of it in memory, the rest in files.
///
/// It decides what goes where and never touches a file. Whatever is in files is younger than what is in
/// memory, so while they hold anything, all that arrives goes there too. There are several, so that
/// what was read can be given back although more is always waiting.
struct ReceiveBuffer {
    struct Limits: Equatable {
        /// The bytes that may wait in memory.
        var memory: Int
        /// The bytes that may wait in files.
        var files: Int
        /// The bytes after which another file is begun.
        var file = 64 << 20
    }

    /// A place in the files, which are numbered from 0.
    struct Region: Hashable {
        var file: Int
        var range: Range<Int>
    }

    enum Place {
        case memory
        case file(Region)
        /// Nowhere is room.
        case nowhere
    }

    enum Segment: Equatable {
        case chunks([Data])
        /// To be read from a file; those before it are not needed any more.
        case file(Region)
    }

    // As much as a reader takes at once counts neither as waiting nor as read yet, so it is bounded.
    static let segment = 256 * 1024

    private let limits: Limits
    private var chunks: [Data] = []
    private var nextChunk = 0
    private var bytesInMemory = 0

    private var bytesWritten = 0
    private var bytesWriting = 0
    // From the one that is read to the one that is written.
    private var lengths = [0]
    private var readFile = 0
    private var readEnd = 0

    init(limits: Limits) { self.limits = limits }

    /// The bytes that a reader could take now.
    var available: Int { bytesInMemory + bytesWritten }

    var isEmpty: Bool { available + bytesWriting == 0 }

    mutating func add(_ chunk: Data) -> Place {
        if bytesWritten + bytesWriting == 0, bytesInMemory + chunk.count <= limits.memory {
            chunks.append(chunk)
            bytesInMemory += chunk.count
            return .memory
        }
        guard bytesWritten + bytesWriting + chunk.count <= limits.files else { return .nowhere }
        if lengths[lengths.count - 1] >= limits.file { lengths.append(0) }
        let start = lengths[lengths.count - 1]
        lengths[lengths.count - 1] += chunk.count
        bytesWriting += chunk.count
        let file = readFile + lengths.count - 1
        return .file(Region(file: file, range: start..<start + chunk.count))
    }

    /// What was to be written has been.
    mutating func noteWritten() {
        bytesWritten += bytesWriting
        bytesWriting = 0
    }

    mutating func take() -> Segment? {
        if nextChunk < chunks.count { return .chunks(takeChunks()) }
        guard bytesWritten > 0 else { return nil }
        if readEnd == lengths[0] {
            lengths.removeFirst()
            readFile += 1
            readEnd = 0
        }
        let count = min(lengths[0] - readEnd, bytesWritten, Self.segment)
        defer {
            readEnd += count
            bytesWritten -= count
        }
        return .file(Region(file: readFile, range: readEnd..<readEnd + count))
    }

    private mutating func takeChunks() -> [Data] {
        var end = nextChunk
        var count = 0
        while end < chunks.count, count == 0 || count + chunks[end].count <= Self.segment {
            count += chunks[end].count
            end += 1
        }
        bytesInMemory -= count
        if end == chunks.count, nextChunk == 0 {
            defer { chunks = [] }
            nextChunk = 0
            return chunks
        }
        let taken = Array(chunks[nextChunk..<end])
        for index in nextChunk..<end { chunks[index] = Data() }
        nextChunk = end
        if nextChunk == chunks.count {
            chunks.removeAll(keepingCapacity: true)
            nextChunk = 0
        }
        return taken
    }

    mutating func removeAll() { self = ReceiveBuffer(limits: limits) }
}
