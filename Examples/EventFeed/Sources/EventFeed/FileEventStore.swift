import Foundation
import InterceptorKit
import InterceptorKitStreaming

/// Events in a file, as JSON lines. An event's id is its line's number.
actor FileEventStore: HTTP.EventStore {
    private struct Line: Codable {
        let type: String
        let data: String
    }

    private let path: String
    private let file: FileHandle
    // Where each line begins, and where the next one will.
    private var offsets = [0]

    /// Opens a file or creates it, and finds its lines.
    init(_ path: String) async throws {
        self.path = path
        let files = FileManager.default
        guard files.fileExists(atPath: path) || files.createFile(atPath: path, contents: nil),
            let file = FileHandle(forUpdatingAtPath: path)
        else { throw CocoaError(.fileWriteNoPermission) }
        self.file = file
        let size = try file.seekToEnd()
        for try await line in HTTP.Body.file(path).lines {
            let end = offsets[offsets.count - 1] + line.utf8.count + 1
            // A line that a killed server did not finish. Nobody was told of its event.
            if end > size { break }
            offsets.append(end)
        }
        try file.truncate(atOffset: UInt64(offsets[offsets.count - 1]))
    }

    func append(_ event: HTTP.ServerSentEvent) throws -> String {
        var line = try JSONEncoder().encode(Line(type: event.type, data: event.data))
        line.append(UInt8(ascii: "\n"))
        let end = offsets[offsets.count - 1]
        do {
            try file.write(contentsOf: line)
            try file.synchronize()
        } catch {
            try file.truncate(atOffset: UInt64(end))
            throw error
        }
        offsets.append(end + line.count)
        return lastEventID()
    }

    func events(after id: String?, limit: Int) async throws -> [HTTP.ServerSentEvent] {
        let known = offsets.count - 1
        guard let last = Int(id ?? "0"), 0...known ~= last, id == nil || id == "\(last)" else {
            throw HTTP.StreamingError.unknownEventID
        }
        let next = min(last + limit, known)
        if next == last { return [] }
        let lines = HTTP.Body.file(path, range: offsets[last]..<offsets[next])
        var events: [HTTP.ServerSentEvent] = []
        for try await line in lines.jsonLines(of: Line.self) {
            let id = "\(last + events.count + 1)"
            events.append(HTTP.ServerSentEvent(data: line.data, type: line.type, id: id))
        }
        return events
    }

    func lastEventID() -> String { "\(offsets.count - 1)" }
}
