import InterceptorKit
import Measuring
import Synchronization

private struct Adding: Interceptor {
    func intercept(chain: InterceptorChain<Int>) async throws -> Int {
        try await chain.proceed() + 1
    }
}

private struct Echo: Transport {
    func send(_ input: Int, call: Call) async throws -> Int { input }
}

/// Counts events and keeps none.
private final class Counting: EventSink {
    private let count = Atomic(0)

    func record(_ event: Event) { count.wrappingAdd(1, ordering: .relaxed) }
}

/// Ten interceptors over a transport that answers at once, with a sink or without.
struct Row {
    let name: String
    let workload: Workload

    private init(_ name: String, _ events: (any EventSink)?) throws {
        let pipeline = try Pipeline(
            (0..<10).map { _ in Adding() },
            transport: Echo(),
            events: events
        )
        self.name = name
        workload = Workload(name, answer: 11) { count in
            var sum = 0
            for _ in 0..<count { sum += try await pipeline.run(1) }
            return sum
        }
    }

    static func all() throws -> [Row] {
        [
            try Row("no sink", nil),
            try Row("a stream that nobody reads", EventStream()),
            try Row("no sink, again", nil),
            try Row("a sink that counts", Counting()),
            try Row("an observer", EventObserver { _ in }),
        ]
    }
}
