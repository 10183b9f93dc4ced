import ScheduleRows

/// Measures how many schedules a second are simulated: `schedules [seconds]`.
@main
struct Program {
    static func main() throws {
        let seconds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 5
        for scenario in [Scenario.sharedRefresh, .tokenInterceptor] {
            let rate = try scenario.rate(for: .seconds(seconds))
            print("\(scenario.name): \(rate.steps) steps, schedules per second: \(rate.schedules)")
        }
    }
}
