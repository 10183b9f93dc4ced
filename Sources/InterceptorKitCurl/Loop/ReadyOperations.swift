/// The transfers that have arrivals to hand over.
final class ReadyOperations: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: only the holder of the driver touches it.
    private var operations: [RequestOperation] = []

    func add(_ operation: RequestOperation) {
        guard !operation.io.isTouched else { return }
        operation.io.isTouched = true
        operations.append(operation)
    }

    func takeAll() -> [RequestOperation] {
        defer { operations.removeAll(keepingCapacity: true) }
        return operations
    }
}
