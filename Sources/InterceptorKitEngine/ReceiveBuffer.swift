#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// What of a body has arrived and waits for its reader: the first of it in memory, the rest in files.
///
/// It decides what goes where and never touches a file. Whatever is in files is younger than what is in
/// memory, so while they hold anything, all that arrives goes there too. There are several, so that
/// what was read can be given back although more is always waiting.
package struct ReceiveBuffer: Sendable {
    package struct Limits: Sendable, Equatable {
        /// The bytes that may wait in memory.
        package var memory: Int
        /// The bytes that may wait in files; `nil` for an engine that pauses instead, and so delivers no
        /// more than memory is for.
        package var files: Int?
        /// The bytes after which another file is begun.
        package var file: Int

        package init(memory: Int, files: Int?, file: Int = 64 << 20) {
            self.memory = memory
            self.files = files
            self.file = file
        }
    }

    /// A place in the files, which are numbered from 0.
    package struct Region: Sendable, Hashable {
        package var file: Int
        package var range: Range<Int>

        package init(file: Int, range: Range<Int>) {
            self.file = file
            self.range = range
        }
    }

    enum Place {
        case memory
        case file(Region)
        /// Nowhere is room.
        case nowhere
    }

    package enum Segment: Sendable, Equatable {
        case chunk(Data)
        /// To be read from a file; those before it are not needed any more.
        case file(Region)
    }

    // The most that is read from a file at once.
    private static let segment = 256 * 1024

    let limits: Limits
    private var chunks = ChunkQueue()

    private var bytesWritten = 0
    private var bytesWriting = 0
    // From the one that is read to the one that is written; empty until there is one.
    private var lengths: [Int] = []
    private var readFile = 0
    private var readEnd = 0

    init(limits: Limits) { self.limits = limits }

    /// The bytes that a reader could take now.
    var available: Int { chunks.byteCount + bytesWritten }

    var isEmpty: Bool { available + bytesWriting == 0 }

    mutating func add(_ chunk: Data) -> Place {
        let waiting = bytesWritten + bytesWriting
        guard let files = limits.files,
            waiting > 0 || chunks.byteCount + chunk.count > limits.memory
        else {
            chunks.append(chunk)
            return .memory
        }
        guard waiting + chunk.count <= files else { return .nowhere }
        if lengths.last.map({ $0 >= limits.file }) ?? true { lengths.append(0) }
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
        if let chunk = chunks.popFirst() { return .chunk(chunk) }
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

    mutating func removeAll() { self = ReceiveBuffer(limits: limits) }
}
