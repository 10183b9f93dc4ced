import Loading
import Synchronization

extension Fetcher {
    /// Sends with as many tasks as are to be in flight. Unlike the load of ``Contender`` it looks at no clock, and
    /// ends after a number of requests, as programs in other languages do.
    /// - Parameter executor: What runs the tasks; `nil` is Swift's pool.
    func sending(
        _ load: Load,
        on executor: (any TaskExecutor)? = nil
    ) throws -> OwnContender.Send {
        let fetch = try prepare(load.url)
        return { requests in
            let countdown = Countdown(requests)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<load.inFlight {
                    group.addTask(executorPreference: executor) {
                        while countdown.takesOne() {
                            let count = try await fetch()
                            guard count == load.size else {
                                throw UnexpectedAnswer(
                                    "\(name) got \(count) bytes of \(load.size) from \(load.url)."
                                )
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}

/// The requests that are still to be sent, shared by tasks.
private final class Countdown: Sendable {
    private let left: Atomic<Int>

    init(_ count: Int) { left = Atomic(count) }

    func takesOne() -> Bool { left.subtract(1, ordering: .relaxed).newValue >= 0 }
}
