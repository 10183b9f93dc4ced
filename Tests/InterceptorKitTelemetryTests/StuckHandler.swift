#if Logging
import Dispatch
import Logging
import Synchronization

/// A handler that does not return from its first line until it is released.
final class StuckHandler: LogHandler {
    private let gate = DispatchSemaphore(value: 0)
    private let count = Mutex(0)

    var written: Int { count.withLock { $0 } }

    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }

    var logLevel: Logger.Level {
        get { .info }
        set {}
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func release() { gate.signal() }

    func log(event: LogEvent) {
        let number = count.withLock { count in
            count += 1
            return count
        }
        if number == 1 { gate.wait() }
    }
}
#endif
