import ProcessFigures

/// The memory of this process at one moment.
struct MemoryReading {
    let resident: Int
    /// `nil` where the C library does not say.
    let heap: Int?

    static func now() throws -> MemoryReading {
        MemoryReading(resident: try ResidentMemory.current(), heap: ResidentMemory.heapInUse())
    }
}

/// What each request left behind, in bytes.
struct Growth {
    static let none = Growth(resident: 0, heap: 0)

    let resident: Double
    /// What was allocated and not freed; `nil` where the C library does not say.
    let heap: Double?

    private init(resident: Double, heap: Double?) {
        self.resident = resident
        self.heap = heap
    }

    init(from start: MemoryReading, to end: MemoryReading, requests: Int) {
        let heaps = start.heap.flatMap { start in end.heap.map { $0 - start } }
        self.init(
            resident: Double(end.resident - start.resident) / Double(requests),
            heap: heaps.map { Double($0) / Double(requests) }
        )
    }

    static func - (left: Growth, right: Growth) -> Growth {
        Growth(
            resident: left.resident - right.resident,
            heap: left.heap.flatMap { left in right.heap.map { left - $0 } }
        )
    }
}
