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
        guard let options = Options(CommandLine.arguments.dropFirst()) else {
            print(
                "usage: Resilience [--output FILE] [--seed NUMBER]\n"
                    + "       Resilience --league [--seeds N] [--from SEED] [--scenario NAME] [--output FILE]\n"
                    + "       Resilience --league --random [--count N] [--from SEED]\n"
                    + "       Resilience --league --endpoints [--from SEED]"
            )
            exit(2)
        }
        do {
            if options.isLeague { return try runLeague(options) }
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

extension Resilience {
    private static func runLeague(_ options: Options) throws {
        if options.isOfEndpoints {
            for line in try EndpointLeague.lines(seed: options.seed) { print(line) }
            return
        }
        if options.isRandom {
            let league = RandomLeague(count: options.count, first: options.seed)
            for line in try league.results().report { print(line) }
            return
        }
        var league = League()
        league.seeds = options.seed..<(options.seed + UInt64(options.seeds))
        if let name = options.scenario {
            league.scenarios.removeAll { !$0.name.hasPrefix(name) }
        }
        let rows = try league.rows { row in
            print(row.line)
            // A row can take minutes, and a pipe would hold it back.
            fflush(nil)
        }
        print(rows.harmLine)
        print(rows.summary)
        let page = LeaguePage(rows: rows, seeds: league.seeds).html
        try Data(page.utf8).write(to: URL(fileURLWithPath: options.output))
        print("page: \(options.output)")
    }
}

/// What the command line asks for.
struct Options {
    private(set) var output: String
    private(set) var seed: UInt64 = 1
    private(set) var isLeague = false
    private(set) var isRandom = false
    private(set) var isOfEndpoints = false
    /// How many seeds each row of the league has.
    private(set) var seeds = 20
    /// What the names of the scenarios begin with that the league has; `nil` for all of them.
    private(set) var scenario: String?
    /// How many scenarios are drawn.
    private(set) var count = 500

    init?(_ arguments: some Sequence<String>) {
        output = FileManager.default.temporaryDirectory.appending(path: "resilience.html").path
        var rest = arguments.makeIterator()
        while let name = rest.next() {
            switch name {
            case "--league": isLeague = true
            case "--random": isRandom = true
            case "--endpoints": isOfEndpoints = true
            default:
                guard let value = rest.next(), take(name, value) else { return nil }
            }
        }
    }

    private mutating func take(_ name: String, _ value: String) -> Bool {
        switch name {
        case "--output":
            output = value
            return true
        case "--scenario":
            scenario = value
        case "--seed", "--from":
            guard let number = UInt64(value) else { return false }
            seed = number
        case "--seeds", "--count":
            guard let number = Int(value), (1...1_000_000).contains(number) else { return false }
            if name == "--seeds" { seeds = number } else { count = number }
        default: return false
        }
        return true
    }
}
