#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The part of a body that has arrived and waits for its reader: the beginning in memory, the rest in files.
///
/// The buffer assigns the places and never touches a file. Bytes in files are later than those in memory, so while the
/// files hold any, all arrivals go there too. There are several files, so that space already read can be released even
/// if more is always waiting.
package struct ReceiveBuffer: Sendable {
    package struct Limits: Sendable, Equatable {
        /// The bytes that may wait in memory.
        package var memory: Int
        /// The bytes that may wait in files; `nil` for an engine that pauses instead and so delivers no more than the
        /// memory limit.
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
        case nowhere
    }

    package enum Segment: Sendable, Equatable {
        case chunk(Data)
        /// A region to read from a file; earlier files are no longer needed.
        case file(Region)
    }

    // The most that is read from a file at once.
    private static let segment = 256 * 1024

    let limits: Limits
    private var chunks = ChunkQueue()

    private var bytesWritten = 0
    private var bytesWriting = 0
    // The lengths from the file being read to the file being written; empty until there is one.
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

    /// Marks the bytes that were being written as written.
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

    /// Returns what has arrived if it is one chunk at most.
    mutating func takeOnly() -> Data? {
        guard chunks.hasOneAtMost, bytesWritten + bytesWriting == 0 else { return nil }
        return chunks.popFirst() ?? Data()
    }

    mutating func removeAll() { self = ReceiveBuffer(limits: limits) }
}
