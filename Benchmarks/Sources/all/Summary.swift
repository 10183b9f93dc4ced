import Reporting

/// All figures beside their goals and the last version's: a table for people, then lines for programs.
struct Summary: CustomStringConvertible {
    /// What a figure may be worse than at the last version before it is marked.
    private static let tolerance = 0.1

    let outcomes: [Outcome]
    let lastVersion: LastVersion

    var description: String {
        let judged = outcomes.filter { outcome in
            if case .words = outcome.figure.goal { false } else { true }
        }
        let met = judged.filter { isMet($0) == true }.count
        let lines = outcomes.map { outcome in
            "row \(outcome.figure.name): \(outcome.text) (goal \(outcome.figure.goalText))"
        }
        return (["\(table)", ""] + lines + ["rows: \(met) met of \(judged.count)"])
            .joined(separator: "\n")
    }

    private var table: Table {
        var table = Table(["", "now", "goal", "met", "last version", "worse by"])
        for outcome in outcomes {
            let figure = outcome.figure
            table.append([
                figure.name,
                outcome.value == nil ? "not measured" : outcome.text,
                figure.goalText,
                isMet(outcome).map { $0 ? "yes" : "NO" } ?? "",
                lastVersion.text(of: figure) ?? "",
                mark(outcome) ?? "",
            ])
        }
        return table
    }

    private func isMet(_ outcome: Outcome) -> Bool? {
        outcome.value.flatMap { outcome.figure.isMet(by: $0) }
    }

    /// How much worse a figure is; `nil` if it is not, or not by much.
    private func mark(_ outcome: Outcome) -> String? {
        guard let value = outcome.value, let last = lastVersion.value(of: outcome.figure) else {
            return nil
        }
        let change = outcome.figure.worsening(from: last, to: value)
        guard change > Summary.tolerance else { return nil }
        return change.isFinite ? "\((change * 100).text(digits: 0)) % !" : "from nothing !"
    }
}
