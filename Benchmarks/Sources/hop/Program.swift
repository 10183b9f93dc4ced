import HopRows

/// Measures what one stage of a chain costs: `hop [rounds]`.
@main
struct Program {
    static func main() async throws {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 12
        print(try await Report.measure(Contenders.all, depths: Report.depths, rounds: rounds))
        print(try await ClientFigures.measure(rounds: rounds))
        for (name, tracksCalls) in [("", false), (", tracked", true)] {
            let time = try await ClientFigures.fromMainActor(
                tracksCalls: tracksCalls,
                rounds: rounds
            )
            print("from the main actor\(name): \(Int(time.rounded())) ns")
        }
    }
}
