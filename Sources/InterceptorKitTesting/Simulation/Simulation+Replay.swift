import InterceptorKitConcurrency
import Synchronization

let seedVariable = "INTERCEPTORKIT_SEED"
let scheduleVariable = "INTERCEPTORKIT_SCHEDULE"

extension Simulation {
    /// Runs one of several seeds or schedules; its error explains how to replay it.
    func runOne(
        stepLimit: Int,
        _ body: @escaping @Sendable (Simulation) async throws -> Void
    ) throws(SimulationError) {
        do {
            try run(stepLimit: stepLimit, body)
        } catch {
            throw replayable(error)
        }
        guard let place = failures.first else { return }
        throw replayable(failed("An expectation failed at \(place) with \(self).", nil))
    }

    private func replayable(_ error: any Error) -> SimulationError {
        var failure =
            error as? SimulationError ?? failed("The body threw with \(self): \(error).", error)
        failure.schedule = schedule.withLock { $0.text }
        failure.message += " Run it alone with \(replay)."
        return failure
    }

    private func failed(_ message: String, _ cause: (any Error)?) -> SimulationError {
        let isGiven = schedule.withLock { $0.text != nil }
        return SimulationError(
            isGiven ? .failedSchedule : .failedSeed,
            message,
            seed: seed,
            trace: trace,
            steps: steps,
            cause: cause
        )
    }
}
