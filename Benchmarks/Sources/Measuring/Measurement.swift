/// What one repetition of a workload costs.
public struct Measurement: Sendable {
    /// The shortest time seen, in nanoseconds.
    public let nanoseconds: Double

    /// Allocations on the heap; `nil` where they are not counted.
    public let allocations: Double?
}
