import Foundation
import Reporting

/// Measures every figure that has a goal, in one run.
@main
struct Program {
    private static let usage = "all [--rounds 12] [--only TEXT] [--save FILE]"

    static func main() async {
        await runProgram {
            var arguments = try Arguments(usage: usage)
            let plan = Plan(rounds: try arguments.number("rounds", default: 12))
            let part = arguments.word("only", default: "")
            let file = arguments.word("save", default: "")
            try arguments.end()

            let lastVersion = LastVersion(LastVersion.file)
            let outcomes = await measure(plan, only: part)
            guard !outcomes.isEmpty else {
                throw ArgumentError(description: "No figure's name contains \(part).\n\(usage)")
            }
            say(Summary(outcomes: outcomes, lastVersion: lastVersion))
            guard !file.isEmpty else { return }
            try lastVersion.save(Group.all.flatMap(\.figures), outcomes, to: file)
        }
    }

    private static func measure(_ plan: Plan, only part: String) async -> [Outcome] {
        func isChosen(_ figure: Figure) -> Bool { part.isEmpty || figure.name.contains(part) }
        var outcomes: [Outcome] = []
        for group in Group.all where group.figures.contains(where: isChosen) {
            let start = ContinuousClock.now
            outcomes += await group.outcomes(plan).filter { isChosen($0.figure) }
            let seconds = start.duration(to: .now).inSeconds.text(digits: 0)
            // Beside the figures, so that a program that reads them does not see it.
            FileHandle.standardError.write(Data("measured \(group.name) in \(seconds) s\n".utf8))
        }
        return outcomes
    }
}
