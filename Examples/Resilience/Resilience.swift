#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Puts a chain through a brown-out of its backend, without and with each strategy, and writes a page that
/// shows what each buys.
@main
struct Resilience {
    static func main() {
        if CommandLine.arguments.contains("--time") {
            let clock = ContinuousClock()
            for clients in [1, 200] {
                for strategy in [LeagueStrategy.bare, .ideal, .standard] {
                    let run = LeagueRun(scenario: Scenario.all[0], clients: clients, seed: 1)
                    var score = Score()
                    let time = clock.measure { score = try! run.score(of: strategy) }
                    print(strategy.name, clients, score.goodput, score.sends, score.recovery, score.slowed, time)
                }
            }
            return
        }
        guard let options = Options(CommandLine.arguments.dropFirst()) else {
            print("usage: Resilience [--output FILE] [--seed NUMBER]")
            exit(2)
        }
        do {
            var conditions = Run.Conditions()
            conditions.seed = options.seed
            let runs = try Strategy.all.map { strategy in
                let run = try Run(strategy, under: conditions)
                print(run.line)
                return run
            }
            let page = Page(runs: runs, conditions: conditions).html
            try Data(page.utf8).write(to: URL(fileURLWithPath: options.output))
            print("page: \(options.output)")
        } catch {
            print("resilience: failed: \(error)")
            exit(1)
        }
    }
}

/// What the command line asks for.
struct Options {
    private(set) var output: String
    private(set) var seed: UInt64 = 1

    init?(_ arguments: some Sequence<String>) {
        output = FileManager.default.temporaryDirectory.appending(path: "resilience.html").path
        var rest = arguments.makeIterator()
        while let name = rest.next() {
            guard let value = rest.next() else { return nil }
            switch name {
            case "--output": output = value
            case "--seed":
                guard let number = UInt64(value) else { return nil }
                seed = number
            default: return nil
            }
        }
    }
}
