import Foundation
import Loading

/// One of those compared, as a program that is run for each of its turns.
struct ClientProcess: Sendable {
    let name: String
    private let program: Result<Subprocess, any Error>
    private let arguments: @Sendable (Load, _ requests: Int) -> [String]

    /// This executable as one of its contenders.
    init(_ own: OwnContender) {
        name = own.name
        program = Result { try Subprocess.itself() }
        arguments = { load, requests in
            [
                "--contender", own.name, "--url", load.url, "--in-flight", "\(load.inFlight)",
                "--requests", "\(requests)", "--size", "\(load.size)",
            ]
        }
    }

    /// A program in another language.
    /// - Parameter program: The program, or why there is none.
    init(_ name: String, _ program: Result<Subprocess, any Error>) {
        self.name = name
        self.program = program
        arguments = { load, requests in
            [load.url, "\(load.inFlight)", "\(requests)", "\(load.size)"]
        }
    }

    /// Sends so many requests in a process of its own.
    func figures(of requests: Int, under load: Load) throws -> Figures {
        try Figures(in: program.get().run(arguments(load, requests)))
    }

    /// What a counter counts of a request.
    ///
    /// Two processes that send different numbers of requests do as much when they start and end, so that this does not
    /// count.
    func count(under load: Load, by counter: some Counter) throws -> Double {
        let program = try program.get()
        let requests = max(1000, 8 * load.inFlight)
        let few = try counter.count(of: program, arguments(load, requests))
        let many = try counter.count(of: program, arguments(load, 3 * requests))
        let sent = try Figures(in: many.output).sent - Figures(in: few.output).sent
        return Double(many.count - few.count) / Double(sent)
    }
}
