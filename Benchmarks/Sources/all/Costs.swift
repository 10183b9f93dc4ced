import Measuring

/// What workloads cost that were measured in turns, by their names.
struct Costs: Sendable {
    private let measurements: [String: Measurement]

    init(_ workloads: [Workload], _ measurements: [Measurement]) {
        self.measurements = Dictionary(
            zip(workloads.map(\.name), measurements),
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The time of one repetition, less that of another workload.
    func nanoseconds(_ name: String, above other: String? = nil) throws -> Double {
        try measurement(name).nanoseconds - (other.map { try measurement($0).nanoseconds } ?? 0)
    }

    /// The time of one repetition, less that of another workload.
    func microseconds(_ name: String, above other: String? = nil) throws -> Double {
        try nanoseconds(name, above: other) / 1000
    }

    /// The allocations of one repetition, less those of another workload.
    func allocations(_ name: String, above other: String) throws -> Double {
        guard let own = try measurement(name).allocations,
            let others = try measurement(other).allocations
        else { throw NotMeasured.allocations }
        return own - others
    }

    /// The time of one workload, times that of another one.
    func ratio(_ name: String, to other: String) throws -> Double {
        try nanoseconds(name) / nanoseconds(other)
    }

    private func measurement(_ name: String) throws -> Measurement {
        guard let measurement = measurements[name] else {
            throw NotMeasured("there is no workload called \(name)")
        }
        return measurement
    }
}

extension NotMeasured {
    static let allocations = NotMeasured("allocations are only counted where there is glibc")
}
