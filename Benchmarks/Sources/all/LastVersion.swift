import Foundation

/// The figures of another version, as a text file keeps them: lines of `NAME: VALUE`.
struct LastVersion: Sendable {
    private var values: [String: String] = [:]

    /// The file that belongs to the sources of this program.
    static let file = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Figures.txt")

    /// Reads a file; one that is not there has no figures. Lines after `#` say something to people.
    init(_ file: URL) {
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let end = line.range(of: ": ") else { continue }
            values[String(line[..<end.lowerBound])] = String(line[end.upperBound...])
        }
    }

    /// A figure as it was shown; `nil` if it was not measured.
    func text(of figure: Figure) -> String? { values[figure.name] }

    /// A figure's value; `nil` if it was not measured in the same unit.
    func value(of figure: Figure) -> Double? {
        guard let text = text(of: figure), text.hasSuffix(figure.unit.rawValue) else { return nil }
        return Double(text.dropLast(figure.unit.rawValue.count))
    }

    /// Writes a file of these figures, with new values for those that were measured.
    func save(_ figures: [Figure], _ outcomes: [Outcome], to path: String) throws {
        var values = values
        for outcome in outcomes where outcome.value != nil {
            values[outcome.figure.name] = outcome.text
        }
        let lines = figures.compactMap { figure in
            values[figure.name].map { "\(figure.name): \($0)\n" }
        }
        try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: path))
    }
}
