import InterceptorKit

/// What a file of the store begins with, before the head of the response.
///
/// A file is the header, the head, the body and the sums of its blocks, in this order. Numbers have 8
/// bytes, the least significant first: the kind and version; the sum of all that follows up to the head's
/// end; ``nonce``, ``id``, ``headLength`` and ``bodyLength``.
struct EntryHeader: Sendable, Equatable {
    /// What a file holds, and in what version of the format.
    enum Kind: UInt64, Sendable {
        /// A response with its body: `IKENTRY1`.
        case response = 0x3159_5254_4e45_4b49
        /// A later head for a response, which has the same nonce: `IKFRESH1`.
        case freshened = 0x3148_5345_5246_4b49
    }

    static let size = 48
    /// Bodies are summed and read in blocks of so many bytes.
    static let blockSize = 64 * 1024

    let kind: Kind
    /// Drawn for each response written, and what its sums begin with: parts of two files never fit.
    let nonce: UInt64
    /// The response's number.
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

    /// The bytes of the body that are in a block.
    func block(_ index: Int) -> Range<Int> {
        let start = index * Self.blockSize
        return start..<min(start + Self.blockSize, bodyLength)
    }

    /// Itself and a head, as a file begins.
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
    /// Reads a header, whose sum has still to be compared.
    /// - Parameters:
    ///   - bytes: A file's beginning.
    ///   - fileSize: The file's size, which has to be the right one.
    /// - Returns: `nil` if it isn't of that kind, or has another version.
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

    /// Whether a file's beginning, as far as its head's end, is what was written.
    func isWhole(_ beginning: [UInt8]) -> Bool {
        var reader = EntryBytesReader(beginning, in: 8..<16)
        return reader.number() == XXHash64.sum(beginning[16..<bodyOffset])
    }
}

extension EntryHeader {
    /// A file with a later head for the response that this header is of.
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
