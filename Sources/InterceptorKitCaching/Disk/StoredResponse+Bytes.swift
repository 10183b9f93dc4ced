import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The encoding of a response's head, without its `id`.
extension StoredResponse {
    var bytes: [UInt8] {
        var writer = EntryBytesWriter()
        writer.append(key.url)
        writer.append(key.partition)
        writer.append(selection.count)
        for selector in selection {
            writer.append(selector.name)
            writer.append(selector.value)
        }
        writer.append(status.code)
        writer.append(requestDate.timeIntervalSinceReferenceDate.bitPattern)
        writer.append(responseDate.timeIntervalSinceReferenceDate.bitPattern)
        writer.append(headers.count)
        for field in headers {
            writer.append(field.name)
            writer.append(field.value)
        }
        return writer.bytes
    }

    /// - Returns: `nil` if the bytes are not a head.
    init?(id: UInt64, _ bytes: [UInt8], in range: Range<Int>) {
        var reader = EntryBytesReader(bytes, in: range)
        guard let url = reader.text(), let partition = reader.text(), let selectors = reader.count()
        else { return nil }
        var selection: [Selector] = []
        for _ in 0..<selectors {
            guard let name = reader.text(), let value = reader.optionalText() else { return nil }
            selection.append(Selector(name: name, value: value))
        }
        guard let code = reader.number(), let requested = reader.date(),
            let responded = reader.date(), let fields = reader.count()
        else { return nil }
        var headers = HTTP.Headers()
        headers.reserveCapacity(fields)
        for _ in 0..<fields {
            guard let name = reader.text(), let value = reader.text() else { return nil }
            headers.append(name: name, value: value)
        }
        guard reader.isAtEnd, headers.problem == nil else { return nil }
        self.init(
            id: id,
            key: CacheKey(url: url, partition: partition),
            selection: selection,
            status: HTTP.Status(Int(truncatingIfNeeded: code)),
            headers: headers,
            requestDate: requested,
            responseDate: responded
        )
    }
}

extension EntryBytesReader {
    fileprivate mutating func date() -> Date? {
        guard let number = number() else { return nil }
        let interval = Double(bitPattern: number)
        return interval.isFinite ? Date(timeIntervalSinceReferenceDate: interval) : nil
    }
}
