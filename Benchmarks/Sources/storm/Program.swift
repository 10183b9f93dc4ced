import Engines
import Foundation
import Nginx
import Reporting

/// Cancels calls at every moment of their lives and counts what goes wrong; then breaks connections under
/// calls that were executed and counts what was executed again.
///
/// Not asynchronous: the main thread watches, so that it notices when the tasks' threads do not go on.
@main
struct Program {
    private static let usage = """
        storm [--calls 50000] [--runs 5] [--in-flight 64] [--seed 1] [--patience 30] \
        [--broken 10000] [--engine \(Engine.names)]
        """

    static func main() {
        do {
            try run()
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private static func run() throws {
        var arguments = try Arguments(usage: usage)
        let calls = try arguments.number("calls", default: 50_000)
        let runs = try arguments.number("runs", default: 5)
        let inFlight = try arguments.number("in-flight", default: 64)
        let seed = try arguments.number("seed", default: 1)
        let patience = try arguments.number("patience", default: 30)
        let broken = try arguments.number("broken", default: 10_000)
        let engine = try Engine.chosen(in: &arguments)
        try arguments.end()

        let server = try Nginx.start()
        defer { server.stop() }
        let storm = Storm(
            engine: engine,
            server: server,
            calls: calls,
            inFlight: inFlight,
            patience: .seconds(patience)
        )
        // What a process keeps for good from its first requests is not left by the storm.
        let first = try storm.run(seed: 0, calls: inFlight, openFiles: .max)
        guard first.failure == nil, first.lost == 0 else {
            throw ArgumentError(description: "No storm: a first call failed. \(first)")
        }
        var total = StormResult.Sum()
        for run in 0..<runs {
            let result = try storm.run(
                seed: UInt64(seed + run),
                calls: calls,
                openFiles: try storm.settledOpenFiles()
            )
            say(result)
            total.add(result)
            // Its calls still hold the engine, so another run would measure this one.
            if result.lost > 0 { break }
        }
        say(total)
        server.stop()
        let repetitions = try Repetitions(
            engine: engine,
            calls: broken,
            inFlight: inFlight,
            patience: .seconds(patience)
        )
        .count()
        say("storm \(engine.name) GET executed twice: \(repetitions.safe)")
        say("storm \(engine.name) executed twice: \(repetitions.unsafe)")
        if !total.isClean || repetitions.unsafe > 0 { exit(1) }
    }
}
