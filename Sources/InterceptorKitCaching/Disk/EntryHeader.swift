import InterceptorKit

/// The header of a stored file, in front of the response's head.
///
/// A file consists of the header, the head, the body and the checksums of the body's blocks. Numbers have 8 bytes in
/// little-endian order: the kind and version; the checksum of everything from there to the end of the head; ``nonce``,
/// ``id``, ``headLength`` and ``bodyLength``.
struct EntryHeader: Sendable, Equatable {
    enum Kind: UInt64, Sendable {
        /// A response with its body: `IKENTRY1`.
        case response = 0x3159_5254_4e45_4b49
        /// A later head for a response, which has the same nonce: `IKFRESH1`.
        case freshened = 0x3148_5345_5246_4b49
    }

    static let size = 48
    /// The size of the blocks in which bodies are checked and read, in bytes.
    static let blockSize = 64 * 1024

    let kind: Kind
    /// A random number for each file, which seeds its checksums: parts of different files never match.
    let nonce: UInt64
    let id: UInt64
    let headLength: Int
    let bodyLength: Int

    var bodyOffset: Int { Self.size + headLength }
    var tableOffset: Int { bodyOffset + bodyLength }
    var tableLength: Int { blockCount * 8 }
    var fileSize: Int { tableOffset.saturatingAdding(tableLength) }

    private var blockCount: Int {
        bodyLength / Self.blockSize + (bodyLength % Self.blockSize > 0 ? 1 : 0)
    }

    func block(_ index: Int) -> Range<Int> {
        let start = index * Self.blockSize
        return start..<min(start + Self.blockSize, bodyLength)
    }

    /// The bytes of the header and a head, as a file begins.
    func bytes(before head: [UInt8]) -> [UInt8] {
        var summed = EntryBytesWriter()
        summed.append(nonce)
        summed.append(id)
        summed.append(headLength)
        summed.append(bodyLength)
        let rest = summed.bytes + head
        var writer = EntryBytesWriter()
        writer.append(kind.rawValue)
        writer.append(XXHash64.sum(rest))
        return writer.bytes + rest
    }
}

extension EntryHeader {
    /// Parses a header, whose checksum is still to be verified.
    /// - Parameters:
    ///   - bytes: The beginning of a file.
    ///   - fileSize: The actual size of the file, which must match.
    /// - Returns: `nil` for another kind or version.
    init?(_ bytes: [UInt8], kind: Kind, fileSize: Int) {
        var reader = EntryBytesReader(bytes, in: 0..<Self.size)
        guard reader.number() == kind.rawValue, reader.number() != nil,
            let nonce = reader.number(), let id = reader.number(),
            let headLength = reader.number(), let bodyLength = reader.number(),
            let parts = Int(exactly: headLength.saturatingAdding(bodyLength)),
            parts <= fileSize.saturatingAdding(-Self.size)
        else { return nil }
        self.init(
            kind: kind,
            nonce: nonce,
            id: id,
            headLength: Int(headLength),
            bodyLength: Int(bodyLength)
        )
        guard self.fileSize == fileSize else { return nil }
    }

    /// Whether the checksum of a file's beginning, up to the end of the head, matches.
    func isWhole(_ beginning: [UInt8]) -> Bool {
        var reader = EntryBytesReader(beginning, in: 8..<16)
        return reader.number() == XXHash64.sum(beginning[16..<bodyOffset])
    }
}

extension EntryHeader {
    /// The bytes of a file with a later head for this header's response.
    func bytes(freshening response: StoredResponse) -> [UInt8] {
        let head = response.bytes
        let header = EntryHeader(
            kind: .freshened,
            nonce: nonce,
            id: id,
            headLength: head.count,
            bodyLength: 0
        )
        return header.bytes(before: head)
    }
}
