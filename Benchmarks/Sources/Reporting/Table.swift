/// Lines up text in columns, the first to the left and the others to the right.
public struct Table: Sendable, CustomStringConvertible {
    private var rows: [[String]]

    /// Starts a table with the heads of its columns.
    public init(_ heads: [String]) { rows = [heads] }

    /// Adds a row; cells that are missing stay empty.
    public mutating func append(_ row: [String]) { rows.append(row) }

    public var description: String {
        let columns = rows[0].count
        let widths = (0..<columns).map { column in
            rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            (0..<columns).map { column in
                let cell = row.count > column ? row[column] : ""
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + padding : padding + cell
            }
            .joined(separator: "  ")
        }
        .joined(separator: "\n")
    }
}

extension Double {
    /// This number with a fixed number of digits after the point.
    public func text(digits: Int) -> String {
        var scale = 1
        for _ in 0..<digits { scale *= 10 }
        let scaled = Int((magnitude * Double(scale)).rounded())
        let sign = self < 0 && scaled != 0 ? "-" : ""
        guard digits > 0 else { return "\(sign)\(scaled)" }
        let fraction = String(scaled % scale)
        let zeros = String(repeating: "0", count: digits - fraction.count)
        return "\(sign)\(scaled / scale).\(zeros)\(fraction)"
    }
}
