import Loading
import MallocCount

/// The allocations on the heap that a request costs, on every thread of this process.
enum Allocations {
    /// Counts those of one stretch, apart from the measured ones because counting takes time.
    /// - Returns: `nil` where they cannot be counted.
    static func perRequest(
        of contender: any Contender,
        under load: Load,
        for duration: Duration
    ) async throws -> Double? {
        guard malloc_count_is_available() else { return nil }
        _ = try await contender.bear(load, for: duration / 4)
        malloc_count_start()
        do {
            let sample = try await contender.bear(load, for: duration)
            return Double(malloc_count_stop()) / Double(sample.requests)
        } catch {
            _ = malloc_count_stop()
            throw error
        }
    }
}
