import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A response in a store's format: a line of JSON with the head, followed by the content.
struct RecordedResponse {
    private struct Head: Codable {
        var version = 1
        var status: Int
        /// Names and values alternately.
        var fields: [String]
        /// `false` if the content was too large to be kept.
        var hasContent: Bool
        /// The checksum of all other members; `nil` in records of earlier versions.
        var sha256: String?

        /// Each part is preceded by its length, so that no two records have the same input.
        func checksum(with content: Data) -> String {
            var hash = RunningHash(.sha256)
            hash.update("\(version):\(status):\(hasContent):\(fields.count):".utf8)
            for text in fields {
                hash.update("\(text.utf8.count):".utf8)
                hash.update(text.utf8)
            }
            hash.update(content)
            return hash.finalize().hexadecimal
        }
    }

    /// The fields of one connection (RFC 9110 section 7.6.1) or one moment, and credentials.
    private static let omittedFields = [
        "Connection", "Content-Length", "Date", "Keep-Alive", "Proxy-Connection", "Set-Cookie",
        "TE", "Trailer", "Transfer-Encoding", "Upgrade",
    ]

    /// The response; `nil` if its content was too large to be kept.
    let response: HTTP.Response?

    init(_ record: Data) throws {
        guard let end = record.firstIndex(of: UInt8(ascii: "\n")),
            let head = try? JSONDecoder().decode(Head.self, from: record[..<end]),
            head.version == 1, head.fields.count.isMultiple(of: 2)
        else { throw Self.malformed }
        let content = record[(end + 1)...]
        guard head.sha256 == nil || head.sha256 == head.checksum(with: content) else {
            throw Self.malformed
        }
        guard head.hasContent else {
            response = nil
            return
        }
        var response = HTTP.Response(HTTP.Status(head.status))
        for index in stride(from: 0, to: head.fields.count, by: 2) {
            response.headers.append(name: head.fields[index], value: head.fields[index + 1])
        }
        response.body = .bytes(content)
        guard Self.isRepeatable(response) else { throw Self.malformed }
        self.response = response
    }

    private static let malformed = StoreError(
        .malformedRecord,
        "The store's value for the key is not a recorded response. It was not changed."
    )

    /// Returns whether a response can be sent: a final status of three digits (RFC 9110 section 15), and valid fields.
    private static func isRepeatable(_ response: HTTP.Response) -> Bool {
        200...999 ~= response.status.code && response.headers.problem == nil
    }

    /// Returns the record of a response. The response can still be read in full.
    /// - Parameters:
    ///   - response: The response.
    ///   - limit: The largest content to keep, in bytes.
    static func record(of response: HTTP.Response, upTo limit: Int) async throws -> Data {
        // A response that could not be read back is not kept.
        let content =
            isRepeatable(response) ? try await content(of: response, upTo: limit) : nil
        let fields = response.headers.filter { field in
            !omittedFields.contains { HTTP.FieldSyntax.isSameName($0, field.name) }
        }
        var head = Head(
            status: response.status.code,
            fields: content == nil ? [] : fields.flatMap { [$0.name, $0.value] },
            hasContent: content != nil
        )
        head.sha256 = head.checksum(with: content ?? Data())
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(head) + [UInt8(ascii: "\n")] + (content ?? Data())
    }

    private static func content(of response: HTTP.Response, upTo limit: Int) async throws -> Data? {
        if response.isEndless { return nil }
        if let length = response.body.length, length > limit { return nil }
        // One more byte shows whether that is all.
        let content = try await response.body.peek(upTo: limit.saturatingAdding(1))
        return content.count <= limit ? content : nil
    }
}
