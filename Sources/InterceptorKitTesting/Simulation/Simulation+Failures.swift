import InterceptorKit

extension Simulation {
    /// - Parameter uncaptured: The reason that plain and detached tasks are not part of the run, if they are not.
    func deadlock(uncaptured: String? = GlobalEnqueues.fault) -> SimulationError {
        let outside = uncaptured.map { reason in
            " Plain and detached tasks are not part of it, because the concurrency runtime is not as "
                + "expected: \(reason)."
        }
        return failure(
            .deadlock,
            "Nothing can run any more at \(now.offset.formattedSeconds) with \(self): the body "
                + "awaits something that nobody will do, or that happens outside the simulation (on "
                + "the main actor or another thread, in a real sleep, in input and output)."
                + (outside ?? "")
        )
    }

    /// The error for activities that are still running after the body, if there are any.
    var leftover: SimulationError? {
        guard !pending.isEmpty else { return nil }
        return failure(
            .leftover,
            "The body ended at \(now.offset.formattedSeconds) with \(self) and left something "
                + "running; cancel it or await it before the body ends."
        )
    }

    func runaway(_ limit: Int) -> SimulationError {
        failure(
            .runaway,
            "The run with \(self) took more than \(limit) steps and stands at "
                + "\(now.offset.formattedSeconds): something goes round without end, or the limit "
                + "is too low."
        )
    }

    func realSleep(_ sleeper: UInt64) -> SimulationError {
        failure(
            .realSleep,
            "\(executor.trace.label(of: sleeper)) sleeps in real time with \(self), by Task's sleep "
                + "or a clock of the standard library. Sleep on the simulation's runtime, or hand "
                + "the code a clock to sleep on."
        )
    }

    private func failure(_ code: SimulationError.Code, _ message: String) -> SimulationError {
        let trace = executor.trace
        return SimulationError(
            code,
            message,
            seed: seed,
            pending: pending,
            trace: self.trace,
            steps: trace.lines
        )
    }

    var pending: [String] {
        let trace = executor.trace
        let unended = executor.captured.unended.map { number in
            "\(trace.label(of: number)), plain or detached, has not ended"
        }
        return tasks.open + executor.waits.open + clock.sleepers + unended
    }
}
