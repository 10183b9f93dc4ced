public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HAR {
    /// Reads an archive.
    ///
    /// Half a surrogate pair, which some recorders write for text that they cut off, becomes U+FFFD.
    /// - Parameter json: The file's content; a byte order mark is accepted.
    /// - Throws: `HTTP.ContentError`, which names the place.
    public init(json: Data) throws(HTTP.ContentError) {
        let text = JSONText(Array(json))
        if let place = text.problem {
            throw HTTP.ContentError(.notJSON, at: place, "The text is not JSON (RFC 8259).")
        }
        do {
            self = try JSONDecoder().decode(HAR.self, from: Data(text.withWholeCharacters))
        } catch let error as DecodingError {
            throw HTTP.ContentError(archive: error)
        } catch {
            throw HTTP.ContentError(.notJSON, at: "line 1", "The text cannot be read as JSON.")
        }
    }

    /// Returns the archive as a file's content: indented, with members sorted by name, so that equal archives have
    /// equal files.
    /// - Throws: `EncodingError`.
    public func json() throws -> Data { try HAR.encoder.encode(self) + Data("\n".utf8) }

    static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    /// Adds entries to an archive's text and leaves everything else unchanged, including its layout and unknown
    /// members.
    /// - Parameters:
    ///   - entries: The entries to add after the existing ones.
    ///   - json: The file's content.
    /// - Throws: `HTTP.ContentError` if the text isn't an archive, or `EncodingError`.
    public static func adding(_ entries: [Entry], to json: Data) throws -> Data {
        _ = try HAR(json: json)
        guard !entries.isEmpty else { return json }
        let text = Array(json)
        guard let array = JSONText(text).array(at: ["log", "entries"]) else {
            throw HTTP.ContentError(.notAnArchive, at: "log.entries", "There is no array.")
        }
        var added = Data()
        for (index, entry) in entries.enumerated() {
            let isFirst = index == 0 && array.isEmpty
            added += Data((isFirst ? "\n" : ",\n").utf8)
            added += try encoder.encode(entry).indented(by: 6)
        }
        let before = Data(text[..<array.end])
        return before + added + Data("\n    ".utf8) + Data(text[array.closing...])
    }
}

extension Data {
    fileprivate func indented(by count: Int) -> Data {
        let lines = split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let blank = Data(repeating: UInt8(ascii: " "), count: count)
        return Data(lines.map { blank + $0 }.joined(separator: [UInt8(ascii: "\n")]))
    }
}

extension HTTP.ContentError {
    init(archive error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            let place = HTTP.ContentError.path(context.codingPath + [key])
            self.init(.notAnArchive, at: place, "The member is missing.")
        case .typeMismatch(let type, let context):
            let place = HTTP.ContentError.path(context.codingPath)
            self.init(.notAnArchive, at: place, "The value is not a \(type).")
        case .valueNotFound(_, let context):
            let place = HTTP.ContentError.path(context.codingPath)
            self.init(.notAnArchive, at: place, "The value is null.")
        case .dataCorrupted(let context):
            let place = HTTP.ContentError.path(context.codingPath)
            self.init(.notAnArchive, at: place, "The value cannot be read.")
        @unknown default:
            self.init(.notAnArchive, at: "log", "The archive cannot be read.")
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        let path = keys.reduce("") { path, key in
            if let index = key.intValue { return "\(path)[\(index)]" }
            return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
        }
        return path.isEmpty ? "the whole" : path
    }
}
