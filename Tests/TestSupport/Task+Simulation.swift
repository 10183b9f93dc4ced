package import InterceptorKitTesting

extension Task where Failure == any Error {
    /// Starts a task in a simulation; the caller awaits it.
    package static func child(
        in simulation: Simulation,
        _ body: @escaping @Sendable () async throws -> Success
    ) -> Task {
        Task(executorPreference: simulation.taskExecutor, operation: body)
    }

    /// Starts a task in a simulation that inherits nothing of the task that starts it.
    package static func stranger(
        in simulation: Simulation,
        _ body: @escaping @Sendable () async throws -> Success
    ) -> Task {
        .detached(executorPreference: simulation.taskExecutor, operation: body)
    }
}
