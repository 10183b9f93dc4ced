import Foundation
import InterceptorKit
import InterceptorKitTesting

/// A second reading of WHATWG HTML section 9.2.6: of text instead of bytes, and of a whole stream at once.
enum EventStreamReading {
    static func events(of bytes: Data) -> [EventStreamCase.Event] {
        // `String(decoding:)` keeps the mark, which the decoder of the standard drops.
        var text = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        if text.first == "\u{FEFF}" { text.removeFirst() }
        var events: [EventStreamCase.Event] = []
        var data: String?
        var type = ""
        var id = ""
        for line in lines(of: text) {
            guard !line.isEmpty else {
                if let data {
                    events.append(.init(type: type.isEmpty ? "message" : type, data: data, id: id))
                }
                data = nil
                type = ""
                continue
            }
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            var value = parts.count > 1 ? parts[1] : []
            if value.first == " " { value.removeFirst() }
            switch string(parts[0]) {
            case "data": data = data.map { "\($0)\n\(string(value))" } ?? string(value)
            case "event": type = string(value)
            case "id": if !value.contains("\0") { id = string(value) }
            default: break
            }
        }
        return events
    }

    /// The lines that have an ending.
    private static func lines(of text: [Unicode.Scalar]) -> [[Unicode.Scalar]] {
        var lines: [[Unicode.Scalar]] = []
        var line: [Unicode.Scalar] = []
        for (index, scalar) in text.enumerated() {
            switch scalar {
            case "\n" where index > 0 && text[index - 1] == "\r": continue
            case "\n", "\r":
                lines.append(line)
                line = []
            default: line.append(scalar)
            }
        }
        return lines
    }

    private static func string(_ scalars: some Collection<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }

    private static let endings: [[UInt8]] = [[0x0A], [0x0A], [0x0D, 0x0A], [0x0D]]
    private static let names = [
        "data", "data", "data", "data", "id", "event", "retry", "", "datax", " data", "Data",
    ]
    private static let colons = [":", ": ", ": ", ":  ", ""]
    private static let values: [[UInt8]] =
        ["", "a", "bc ", ":", " ", "\0", "\u{FEFF}", "€", "12", "\u{2028}", "\u{85}"].map {
            Array($0.utf8)
        }
        + [[0xFF], [0xC3], [0xE2, 0x82]]

    /// A random stream of lines, most of them fields, some of them broken.
    static func randomCase(seed: UInt64) -> EventStreamCase {
        var random = SeededGenerator(seed: seed)
        func one<Value>(of values: [Value], else other: Value) -> Value {
            values.randomElement(using: &random) ?? other
        }
        var bytes = Data(one(of: [[], [], [], [0xEF, 0xBB, 0xBF]], else: []))
        for _ in 0..<Int.random(in: 4..<30, using: &random) {
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<7: break
            case 7..<9: bytes += one(of: values, else: [])
            default:
                bytes += Data((one(of: names, else: "") + one(of: colons, else: "")).utf8)
                bytes += one(of: values, else: []) + one(of: values, else: [])
            }
            bytes += one(of: endings, else: [])
        }
        return EventStreamCase(
            "random stream \(seed)",
            bytes: bytes,
            events: events(of: bytes),
            retry: nil,
            lastEventID: nil
        )
    }
}
