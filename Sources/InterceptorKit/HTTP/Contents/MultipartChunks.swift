#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

enum MultipartChunk: Sendable {
    case bytes(Data)
    /// A part's name, its content, which is read when its turn comes, and its announced length.
    case part(String, HTTP.Body, length: Int?)
}

/// The bytes of a form, with one part open at a time.
struct MultipartChunks: AsyncSequence, Sendable {
    let chunks: [MultipartChunk]

    /// The number of bytes; `nil` if the length of a part is unknown.
    var length: Int? {
        var sum = 0
        for chunk in chunks {
            let count: Int?
            switch chunk {
            case .bytes(let data): count = data.count
            case .part(_, _, let length): count = length
            }
            guard let count else { return nil }
            let (total, isTooLarge) = sum.addingReportingOverflow(count)
            if isTooLarge { return nil }
            sum = total
        }
        return sum
    }

    /// The bytes, if no part has to be read.
    var inMemory: Data? {
        var bytes = Data()
        for chunk in chunks {
            guard case .bytes(let data) = chunk else { return nil }
            bytes += data
        }
        return bytes
    }

    func makeAsyncIterator() -> Iterator { Iterator(rest: chunks[...]) }

    struct Iterator: AsyncIteratorProtocol {
        private struct Open {
            let name: String
            let length: Int?
            var iterator: HTTP.Body.AsyncIterator
            var count = 0
        }

        private var rest: ArraySlice<MultipartChunk>
        private var open: Open?

        init(rest: ArraySlice<MultipartChunk>) { self.rest = rest }

        mutating func next() async throws -> Data? {
            while true {
                if let chunk = try await nextOfPart() { return chunk }
                switch rest.popFirst() {
                case .bytes(let data): return data
                case .part(let name, let body, let length):
                    open = Open(name: name, length: length, iterator: body.makeAsyncIterator())
                case nil: return nil
                }
            }
        }

        private mutating func nextOfPart() async throws -> Data? {
            guard var part = open else { return nil }
            let chunk = try await part.iterator.next()
            part.count += chunk?.count ?? 0
            if let length = part.length,
                chunk == nil ? part.count < length : part.count > length
            {
                open = nil
                rest = []
                throw HTTP.ContentError(
                    .lengthChanged,
                    "The part \(HTTP.printable(part.name)) of a form was announced with \(length) bytes and "
                        + "has \(chunk == nil ? "\(part.count)" : "more"). Nothing may change a file while it "
                        + "is sent."
                )
            }
            open = chunk == nil ? nil : part
            return chunk
        }
    }
}
