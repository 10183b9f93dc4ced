import Dispatch
import ScheduleRows

extension Group {
    static let simulations = [
        simulation(
            "simulated schedules of 20 callers' refresh",
            of: .sharedRefresh,
            atLeast: 50_000
        ),
        simulation(
            "simulated schedules of 20 requests through a client",
            of: .tokenInterceptor,
            atLeast: 6_000
        ),
    ]

    private static func simulation(
        _ name: String,
        of scenario: Scenario,
        atLeast goal: Double
    ) -> Group {
        Group(name, [Row(name, .perSecond, .atLeast(goal)) { $0 }]) { plan in
            // A simulation blocks the thread that it runs on, which must not be one of the tasks'.
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue(label: "simulation").async {
                    continuation.resume(
                        with: Result { Double(try scenario.rate(for: plan.simulation).schedules) }
                    )
                }
            }
        }
    }
}
