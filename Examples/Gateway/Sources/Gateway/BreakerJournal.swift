import InterceptorKit
import Logging
import ServiceLifecycle
import Synchronization

/// Writes down how the circuit breakers changed, for as long as the service runs.
final class BreakerJournal: Service {
    struct Entry: Sendable {
        let upstream: String
        let change: CircuitBreaker.Change
        let instant: Runtime.Instant
    }

    private let upstreams: [Upstream]
    private let logger: Logger
    private let journal = Mutex<[Entry]>([])

    init(_ upstreams: [Upstream], _ logger: Logger) {
        self.upstreams = upstreams
        self.logger = logger
    }

    /// The newest last.
    var entries: [Entry] { journal.withLock { $0 } }

    func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            for upstream in upstreams {
                let changes = upstream.breaker.changes
                group.addTask {
                    for await change in changes.cancelOnGracefulShutdown() {
                        self.note(
                            Entry(
                                upstream: upstream.name,
                                change: change,
                                instant: Runtime.live.now
                            )
                        )
                    }
                }
            }
        }
    }

    private func note(_ entry: Entry) {
        logger.notice(
            "breaker \(entry.change.from) to \(entry.change.to)",
            metadata: ["upstream": "\(entry.upstream)", "cause": "\(entry.change.cause)"]
        )
        journal.withLock { journal in
            journal.append(entry)
            if journal.count > 100 { journal.removeFirst() }
        }
    }
}
