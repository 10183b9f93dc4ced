import InterceptorKit

/// Finds transfers that have been silent for too long, without a timer for each: all are checked when the first of them
/// can be due.
struct SilenceWatch {
    // Sockets live in real time, whatever clock a call has.
    private let runtime = Runtime.live
    private let limit: Duration
    private var next: Runtime.Instant

    // The least time between checks, which bounds their cost; a result may be late by this much.
    private static let pace = Duration.milliseconds(50)

    init(limit: Duration) {
        self.limit = limit
        next = runtime.now.advanced(by: limit)
    }

    var now: Runtime.Instant { runtime.now }

    var isDue: Bool { runtime.now >= next }

    var millisecondsToNextCheck: Int {
        let left = min(max(runtime.now.duration(to: next), .zero), .seconds(86_400))
        return min(Int(left / .milliseconds(1)) + 1, 86_400_000)
    }

    mutating func check(_ operations: [RequestOperation]) -> [RequestOperation] {
        let now = runtime.now
        return check(operations) { io in
            io.noteActivity(at: now)
            // The time does not run while it is not the server's turn.
            if !io.isWaitingForPeer { io.lastActivity = now }
            return io.lastActivity
        }
    }

    /// - Parameter beginning: The instant from which a transfer's time runs; `nil` if it does not.
    mutating func check(
        _ operations: [RequestOperation],
        since beginning: (TransferIO) -> Runtime.Instant?
    ) -> [RequestOperation] {
        let now = runtime.now
        next = now.advanced(by: limit)
        var silent: [RequestOperation] = []
        for operation in operations {
            guard let due = beginning(operation.io)?.advanced(by: limit) else { continue }
            if due <= now { silent.append(operation) } else { next = min(next, due) }
        }
        next = max(next, now.advanced(by: Self.pace))
        return silent
    }
}
