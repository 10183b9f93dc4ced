import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Writes calls as the JSON that the page reads. It is small, because each text occurs once.
struct TimelineData {
    private static let endings: [Event.Ending] = [.completed, .failed, .cancelled, .abandoned]

    private var texts: [String] = []
    private var indices: [String: Int] = [:]

    /// - Returns: JSON (RFC 8259) that is safe in a script element, whatever its texts contain.
    static func json(_ calls: [TimelineCall], dropped: Int, until: Runtime.Instant) -> String {
        var data = TimelineData()
        let calls = calls.map { data.call($0) }
        let texts = data.texts.map(\.scriptText)
        return #"{"dropped":\#(dropped),"until":\#(until.offset.microseconds),"#
            + #""placeholder":\#(Redaction.placeholder.scriptText),"#
            + #""strings":[\#(texts.joined(separator: ","))],"#
            + #""calls":[\#(calls.joined(separator: ","))]}"#
    }

    private mutating func call(_ call: TimelineCall) -> String {
        let entries = call.entries.map { entry($0, of: call) }
        let date = (call.date.timeIntervalSince1970 * 1000).rounded()
        return #"{"id":"\#(call.id)","date":\#(Int(exactly: date) ?? 0),"#
            + #""start":\#(call.start.offset.microseconds),"dropped":\#(call.dropped),"#
            + #""rows":[\#(entries.joined(separator: ","))]}"#
    }

    private mutating func entry(_ entry: TimelineCall.Entry, of call: TimelineCall) -> String {
        func time(_ instant: Runtime.Instant) -> Int {
            call.start.duration(to: instant).microseconds
        }
        let facts = entry.facts.sorted { $0.key < $1.key }
            .flatMap { [index(of: $0.key), index(of: $0.value.description)] }
        let delay = entry.kind == nil ? entry.facts["delay"]?.duration?.microseconds ?? 0 : 0
        let upload = entry.upload.map { upload in
            "[\(time(upload.start)),\(time(upload.end)),\(upload.bytes),\(upload.total ?? -1)]"
        }
        let fields = [
            entry.parent ?? -1, index(of: entry.kind?.description ?? "moment"),
            index(of: entry.name), index(of: entry.source), entry.attempt, time(entry.start),
            entry.end.map(time) ?? -1,
            entry.ending.flatMap { Self.endings.firstIndex(of: $0) } ?? -1,
        ]
        return "[\(fields.list),[\(facts.list)],\(delay),\(upload ?? "0")]"
    }

    private mutating func index(of text: String) -> Int {
        if let index = indices[text] { return index }
        indices[text] = texts.count
        texts.append(text)
        return texts.count - 1
    }
}

extension [Int] {
    fileprivate var list: String { map(\.description).joined(separator: ",") }
}

extension Duration {
    // Limited to integers that JavaScript represents exactly.
    fileprivate var microseconds: Int {
        Int(min(max(inSeconds * 1e6, -1e15), 1e15).rounded())
    }
}

extension String {
    /// Returns a JSON string without characters that could end a script element or one of its lines.
    var scriptText: String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"", "\\":
                text += "\\"
                text.unicodeScalars.append(scalar)
            case "<", ">", "&", "\u{2028}", "\u{2029}", "\u{0}"..."\u{1F}", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default:
                text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
