import InterceptorKit
public import Measuring
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
public enum Events {
    /// The first has no sink.
    public static func all() throws -> [Workload] {
        [
            try workload("no sink", nil),
            try workload("a stream that nobody reads", EventPublisher()),
            try workload("no sink, again", nil),
            try workload("a sink that counts", Counting()),
            try workload("an observer", EventObserver { _ in }),
        ]
    }

    private static func workload(
        _ name: String,
        _ events: (any EventSink)?
    ) throws -> Workload {
        let pipeline = try Pipeline(
            (0..<10).map { _ in Adding() },
            transport: Echo(),
            events: events
        )
        return Workload(name, answer: 11) { count in
            var sum = 0
            for _ in 0..<count { sum += try await pipeline.run(1) }
            return sum
        }
    }
}
