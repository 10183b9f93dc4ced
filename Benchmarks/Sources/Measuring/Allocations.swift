import MallocCount

/// Counts allocations on the heap: `malloc` and its relatives, on every thread of the process.
public enum Allocations {
    /// Whether this platform's are counted.
    public static var areCounted: Bool { malloc_count_is_available() }

    /// Counts the allocations of one repetition.
    /// - Parameter count: Repetitions to take the mean of.
    /// - Returns: `nil` where allocations are not counted.
    static func perRepetition(of workload: Workload, count: Int) async throws -> Double? {
        guard areCounted else { return nil }
        try await workload.run(count)
        malloc_count_start()
        do {
            try await workload.run(count)
        } catch {
            _ = malloc_count_stop()
            throw error
        }
        // The measuring itself may allocate once or twice in all; it is not the workload's.
        return (Double(malloc_count_stop()) / Double(count) * 100).rounded() / 100
    }
}
