import Reporting

/// How the processor times of a request stand to each other: less than 1 is cheaper.
struct Ratios: CustomStringConvertible {
    /// Many requests at once are where a client's own cost shows most.
    static let inFlight = 64

    private static let pairs = [
        ("empty", "C"), ("empty", "Go"), ("full", "Go"), ("standard", "empty"), ("full", "empty"),
    ]
    // Beside the same others, and beside each other.
    private static let onExecutor = pairs.map { name, other in
        ("executor \(name)", other == "empty" ? "executor empty" : other)
    }

    private let report: Report?

    /// Takes the report of that load; `nil` if it was not asked for.
    init(_ report: Report?) { self.report = report }

    var description: String {
        (Ratios.pairs + Ratios.onExecutor).map { "wire \($0) to \($1): \(ratio(of: $0, to: $1))" }.joined(separator: "\n")
    }

    /// The middle one of the rounds' ratios, whose two parts were measured close to each other.
    private func ratio(of name: String, to other: String) -> String {
        guard let report else { return "not measured, without \(Ratios.inFlight) in flight" }
        guard let ours = report.rounds(of: name), let theirs = report.rounds(of: other) else {
            return "not measured, for the reason above"
        }
        return zip(ours, theirs)
            .map { $0.processorMicroseconds / $1.processorMicroseconds }
            .median.text(digits: 2)
    }
}

extension Report {
    fileprivate func rounds(of name: String) -> [Figures]? {
        measured.rows.first { $0.name == name }.flatMap { try? $0.rounds.get() }
    }
}
