import InterceptorKit

extension Simulation {
    /// Says that the current task begins to wait, for what has no runtime at hand; `nil` outside a
    /// simulation.
    /// - Parameter what: Completes the sentence that begins with the task's name.
    static func beginWait(_ what: @escaping @autoclosure @Sendable () -> String) -> Runtime.Wait? {
        current?.runtime.beginWait(what())
    }
}
