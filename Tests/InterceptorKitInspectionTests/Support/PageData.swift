import Foundation
import InterceptorKit
import InterceptorKitInspection
import TestSupport

/// The data of a timeline's page, read as its script reads it.
struct PageData: Equatable, Sendable {
    struct Call: Equatable, Sendable {
        var dropped: Int
        var rows: [Row]

        /// A line for each row, indented as it nests.
        var outline: [String] {
            var depths: [Int] = []
            return rows.map { row in
                depths.append(row.parent < 0 ? 0 : depths[row.parent] + 1)
                let indent = String(repeating: "  ", count: depths[depths.count - 1])
                return "\(indent)\(row.kind) \(row.name)"
            }
        }
    }

    struct Row: Equatable, Sendable {
        var parent: Int
        var kind: String
        var name: String
        var start: Int
        var end: Int
        var ending: Int
        var facts: [String: String]
        var delay: Int
        var sent: [Int]?
    }

    struct Unreadable: Error {}

    var dropped: Int
    var calls: [Call]

    init(_ timeline: Timeline) throws {
        let html = timeline.html()
        guard let start = html.range(of: #"id="data">"#)?.upperBound,
            let end = html.range(of: "</script>", range: start..<html.endIndex)?.lowerBound,
            let page = try JSONSerialization.jsonObject(with: Data(html[start..<end].utf8))
                as? [String: Any],
            let texts = page["strings"] as? [String], let dropped = page["dropped"] as? Int,
            let calls = page["calls"] as? [[String: Any]]
        else { throw Unreadable() }
        self.dropped = dropped
        self.calls = try calls.map { call in
            guard let dropped = call["dropped"] as? Int, let rows = call["rows"] as? [[Any]] else {
                throw Unreadable()
            }
            return Call(dropped: dropped, rows: try rows.map { try Self.row($0, texts) })
        }
    }

    private static func row(_ fields: [Any], _ texts: [String]) throws -> Row {
        guard fields.count == 11, let facts = fields[8] as? [Int] else { throw Unreadable() }
        let numbers = fields.map { $0 as? Int ?? 0 }
        var named: [String: String] = [:]
        for place in stride(from: 0, to: facts.count, by: 2) {
            named[texts[facts[place]]] = texts[facts[place + 1]]
        }
        return Row(
            parent: numbers[0],
            kind: texts[numbers[1]],
            name: texts[numbers[2]],
            start: numbers[5],
            end: numbers[6],
            ending: numbers[7],
            facts: named,
            delay: numbers[9],
            sent: fields[10] as? [Int]
        )
    }
}
