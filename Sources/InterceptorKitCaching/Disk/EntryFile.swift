import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An open file of the store whose head has been verified.
struct EntryFile: Sendable {
    // Holds the head and body of most API responses, so that one system call reads both.
    private static let beginningSize = 4096

    let header: EntryHeader
    let attributes: FileAttributes
    private let file: OpenFile
    private let beginning: [UInt8]

    /// - Returns: `nil` if the file is absent. A damaged file is removed and counts as absent.
    init?(_ path: String, kind: EntryHeader.Kind = .response) throws {
        guard let file = try OpenFile(reading: path) else { return nil }
        guard let found = try Self(file, kind) else {
            unsafe unlink(path)
            return nil
        }
        self = found
    }

    private init?(_ file: OpenFile, _ kind: EntryHeader.Kind) throws {
        guard let attributes = file.attributes, attributes.isFile, !attributes.isWritableByOthers,
            attributes.owner == geteuid()
        else { return nil }
        var bytes = try file.bytes(at: 0, count: min(Self.beginningSize, attributes.size))
        guard let header = EntryHeader(bytes, kind: kind, fileSize: attributes.size) else {
            return nil
        }
        let missing = header.bodyOffset - bytes.count
        if missing > 0 { bytes += try file.bytes(at: bytes.count, count: missing) }
        guard bytes.count >= header.bodyOffset,
            header.isWhole(bytes)
        else { return nil }
        self.header = header
        self.attributes = attributes
        self.file = file
        beginning = bytes
    }

    /// The response without its body; `nil` if its head cannot be decoded.
    var response: StoredResponse? {
        StoredResponse(
            id: header.id,
            beginning,
            in: EntryHeader.size..<header.bodyOffset
        )
    }

    /// Records the time of the last use, in nanoseconds since 1970.
    func recordUse(_ nanoseconds: Int64) { file.setModified(nanoseconds) }

    /// Returns the verified body; `nil` if it is damaged.
    /// - Parameter compared: The files that this process has verified as a whole.
    func body(in compared: ComparedFiles) throws -> HTTP.Body? {
        guard let sums = try sums() else { return nil }
        guard header.bodyLength > EntryHeader.blockSize else {
            let range = 0..<header.bodyLength
            guard let bytes = try block(range), isWhole(bytes, 0, sums) else { return nil }
            return .bytes(bytes)
        }
        if !compared.contains(header.nonce) {
            guard try isWhole(sums) else { return nil }
            compared.insert(header.nonce)
        }
        return .replayable(length: header.bodyLength) { DiskBodyStream(self, sums, compared) }
    }

    /// Removes the file, unless another has taken its name.
    func remove() { file.remove() }

    /// Returns a verified block of the body; `nil` if it is damaged.
    func block(_ index: Int, _ sums: [UInt64]) throws -> Data? {
        guard let bytes = try block(header.block(index)), isWhole(bytes, index, sums) else {
            return nil
        }
        return bytes
    }

    private func isWhole(_ bytes: Data, _ index: Int, _ sums: [UInt64]) -> Bool {
        guard index < sums.count else { return bytes.isEmpty }
        return unsafe bytes.withUnsafeBytes { block in
            unsafe XXHash64.sum(of: block, seed: header.nonce) == sums[index]
        }
    }

    private func isWhole(_ sums: [UInt64]) throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: EntryHeader.blockSize)
        return unsafe try buffer.withUnsafeMutableBytes { buffer in
            for (index, sum) in sums.enumerated() {
                let range = header.block(index)
                // Safety: a block is never larger than `blockSize`, the size of the buffer.
                let block = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<range.count])
                let offset = header.bodyOffset + range.lowerBound
                guard unsafe try file.read(into: block, at: offset) == range.count else {
                    return false
                }
                let found = unsafe XXHash64.sum(
                    of: UnsafeRawBufferPointer(block),
                    seed: header.nonce
                )
                guard found == sum else { return false }
            }
            return true
        }
    }

    private func sums() throws -> [UInt64]? {
        var range = header.tableOffset..<header.fileSize
        var table = beginning
        if range.upperBound > table.count {
            table = try file.bytes(at: range.lowerBound, count: range.count)
            range = 0..<range.count
        }
        guard range.upperBound <= table.count else { return nil }
        var reader = EntryBytesReader(table, in: range)
        var sums: [UInt64] = []
        sums.reserveCapacity(range.count / 8)
        while let sum = reader.number() { sums.append(sum) }
        return sums
    }

    /// Returns bytes of the body, from those already read if possible; `nil` if the file ends before.
    private func block(_ range: Range<Int>) throws -> Data? {
        let start = header.bodyOffset + range.lowerBound
        let end = header.bodyOffset + range.upperBound
        if end <= beginning.count { return Data(beginning[start..<end]) }
        var bytes = Data(count: range.count)
        let count = unsafe try bytes.withUnsafeMutableBytes { buffer in
            unsafe try file.read(into: buffer, at: start)
        }
        return count == range.count ? bytes : nil
    }
}

extension OpenFile {
    /// Reads up to `count` bytes; fewer if the file ends before.
    fileprivate func bytes(at offset: Int, count: Int) throws -> [UInt8] {
        // Safety: `read` writes the first `done` bytes of `count`, and none if it throws.
        unsafe try [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
            done = 0
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            done = unsafe try read(
                into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<count]),
                at: offset
            )
        }
    }
}
