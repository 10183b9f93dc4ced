import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Bytes that were read and not yet used. Taking bytes costs time for these bytes only, however many are held.
struct PendingBytes {
    private var bytes = Data()
    private var start = 0

    var count: Int { bytes.count - start }

    mutating func append(_ more: Data) {
        if start > 0 { bytes = Data(bytes.dropFirst(start)) }
        start = 0
        bytes.append(more)
    }

    /// Removes and returns the first bytes, or all if there are fewer.
    mutating func take(_ count: Int) -> Data {
        let end = min(bytes.count, start + count)
        let taken = Data(bytes[(bytes.startIndex + start)..<(bytes.startIndex + end)])
        start = end
        return taken
    }

    /// Returns the offset of the first CRLF; `nil` if there is none.
    func endOfLine(within limit: Int) -> Int? {
        let searched = bytes.dropFirst(start).prefix(limit)
        return zip(searched, searched.dropFirst()).enumerated()
            .first { $0.element == (13, 10) }?.offset
    }
}
