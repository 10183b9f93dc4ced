import Dispatch
import Loading
import Nginx
import Reporting

/// Measures what a request costs its client process, for the library's engines and chains beside others. With
/// `--contender` it is such a process, and prints its figures.
@main
struct Program {
    private static let usage =
        "wire [--rounds 3] [--seconds 1 | --requests N] [--in-flight 1,8,64,256] [--instructions 0]"

    // Not asynchronous: that would end the main thread, where valgrind (3.19) fails.
    static func main() {
        let end = DispatchSemaphore(value: 0)
        Task.detached {
            await runProgram {
                var arguments = try Arguments(usage: usage)
                let contender = arguments.word("contender", default: "")
                if contender.isEmpty {
                    try compare(&arguments)
                } else {
                    try await send(&arguments, as: contender)
                }
            }
            end.signal()
        }
        end.wait()
    }

    private static func compare(_ arguments: inout Arguments) throws {
        let rounds = try arguments.number("rounds", default: 3)
        let seconds = try arguments.number("seconds", default: 1)
        let requests = try arguments.number("requests", default: 0)
        let instructions = try arguments.number("instructions", default: 0)
        let inFlight = try arguments.word("in-flight", default: "1,8,64,256")
            .split(separator: ",", omittingEmptySubsequences: false).map(positive)
        try arguments.end()

        let server = try Nginx.start()
        defer { server.stop() }
        let programs = try ForeignPrograms()
        defer { programs.remove() }
        let turns = Turns(
            OwnContender.all.map(ClientProcess.init) + programs.clients,
            rounds: rounds,
            length: requests > 0 ? .requests(requests) : .seconds(Double(seconds)),
            countsInstructions: instructions > 0
        )
        let length = requests > 0 ? "\(requests) requests" : "\(seconds) s"
        say("A process for each turn; \(rounds) rounds of \(length) in turns.\n")
        let reports = inFlight.map { count in
            let report = Report(turns.run(.hundred(inFlight: count, from: server)))
            say("\(report)\n")
            return report
        }
        say(Ratios(reports.first { $0.inFlight == Ratios.inFlight }))
    }

    private static func send(_ arguments: inout Arguments, as name: String) async throws {
        let url = arguments.word("url", default: "")
        let inFlight = try arguments.number("in-flight", default: 1)
        let requests = try arguments.number("requests", default: 1)
        let size = try arguments.number("size", default: Nginx.hundredSize)
        try arguments.end()
        let load = Load("\(inFlight) in flight", url: url, size: size, inFlight: inFlight)
        say(try await OwnContender.named(name).figures(of: requests, under: load).line)
    }

    private static func positive(_ text: Substring) throws -> Int {
        guard let number = Int(text), number > 0 else {
            throw ArgumentError(
                description: "--in-flight must be positive numbers with commas between.\n\(usage)"
            )
        }
        return number
    }
}
