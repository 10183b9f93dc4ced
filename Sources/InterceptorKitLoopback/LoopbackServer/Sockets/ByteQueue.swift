/// Received bytes that wait to be parsed.
struct ByteQueue {
    private var bytes: [UInt8] = []
    private var start = 0
    // The offset from which to search for the end of a line, so that no byte is checked twice.
    private var searched = 0

    var count: Int { bytes.count - start }

    mutating func append(_ new: some Collection<UInt8>) {
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: true)
            start = 0
        } else if start > 64 << 10 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.append(contentsOf: new)
    }

    /// Removes and returns at most `limit` bytes.
    mutating func take(_ limit: Int) -> [UInt8] {
        let end = start + min(limit, count)
        defer {
            start = end
            searched = 0
        }
        return Array(bytes[start..<end])
    }

    /// Removes and returns a line with its line feed; `nil` if there is no whole one yet.
    mutating func takeLine() -> [UInt8]? {
        var index = start + searched
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\n") { return take(index + 1 - start) }
            index += 1
        }
        searched = count
        return nil
    }

    mutating func removeAll() { self = ByteQueue() }
}
