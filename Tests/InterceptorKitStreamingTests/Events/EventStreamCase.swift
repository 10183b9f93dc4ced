import Foundation
import InterceptorKit
import Testing

@testable import InterceptorKitStreaming

/// A stream in pieces, and what it must come to.
struct EventStreamCase: Sendable, CustomTestStringConvertible {
    struct Event: Hashable, Sendable, CustomStringConvertible {
        var type = "message"
        var data: String
        var id = ""

        var description: String { "\(type) \(id) \(data.debugDescription)" }
    }

    let name: String
    let pieces: [Data]
    let events: [Event]
    var comments: [String] = []
    var retry: Duration?
    var lastEventID: String?

    init(
        _ name: String,
        _ pieces: String...,
        events: [Event],
        comments: [String] = []
    ) {
        self.name = name
        self.pieces = pieces.map { Data($0.utf8) }
        self.events = events
        self.comments = comments
    }

    init(_ name: String, bytes: Data, events: [Event], retry: Duration?, lastEventID: String?) {
        self.name = name
        pieces = [bytes]
        self.events = events
        self.retry = retry
        self.lastEventID = lastEventID
    }

    var testDescription: String { name }

    var bytes: Data { pieces.reduce(Data(), +) }

    /// What is wrong with what the parser makes of pieces; `nil` if nothing is.
    func problem(with pieces: [Data], limit: Int = 16 << 20) -> String? {
        var parser = EventParser(limit: limit)
        var seen: [Event] = []
        var comments: [String] = []
        do {
            for piece in pieces {
                parser.append(piece)
                while let item = try parser.next() {
                    switch item {
                    case .comment(let text): comments.append(text)
                    case .event(let event, _):
                        seen.append(Event(type: event.type, data: event.data, id: event.id ?? ""))
                    }
                }
            }
        } catch {
            return "\(name): \(error)"
        }
        if seen != events { return "\(name): \(seen) instead of \(events)" }
        if !self.comments.isEmpty, comments != self.comments {
            return "\(name): comments \(comments)"
        }
        if let retry, parser.retry != retry { return "\(name): retry \(parser.retry as Any)" }
        if let lastEventID, (parser.lastEventID ?? "") != lastEventID {
            return "\(name): id \(parser.lastEventID as Any)"
        }
        return nil
    }

    /// The first problem when the bytes come in the case's pieces, whole, one by one, and split anywhere.
    var problemAtAnySplit: String? {
        let bytes = bytes
        if let problem = problem(with: pieces) { return "\(problem), in pieces" }
        if let problem = problem(with: [bytes]) { return problem }
        if let problem = problem(with: bytes.map { Data([$0]) }) {
            return "\(problem), byte by byte"
        }
        for position in 1..<max(1, min(bytes.count, 4096)) {
            let pieces = [Data(bytes[..<position]), Data(bytes[position...])]
            if let problem = problem(with: pieces) { return "\(problem), split at \(position)" }
        }
        return nil
    }
}
