import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// Remembers that nobody answered at the address of the metadata service.
final class MetadataAbsence: Sendable {
    private static let memory: Duration = .seconds(300)

    private let end = Lock<Runtime.Instant?>(nil)

    func isKnown(at now: Runtime.Instant) -> Bool {
        end.withLock { end in end.map { now < $0 } ?? false }
    }

    func note(at now: Runtime.Instant) {
        end.withLock { $0 = now.advanced(by: Self.memory) }
    }
}
