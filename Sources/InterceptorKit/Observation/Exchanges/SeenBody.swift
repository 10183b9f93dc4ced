import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// As much of a response's body as was read, or kept.
struct SeenBody: Sendable {
    /// The first bytes of it.
    var beginning = Data()
    /// How many there were, kept or not.
    var count = 0
    var ending = Event.Ending.abandoned
    /// Why it broke off.
    var failure: (any Error)?

    /// All of it; `nil` if it was not read to its end, or is longer than what is kept.
    var whole: Data? { ending == .completed && beginning.count == count ? beginning : nil }
}

/// Keeps the beginning of a body while its reader reads it.
final class KeptBody: Sendable {
    private let limit: Int
    private let state = Lock(SeenBody())

    init(upTo limit: Int) { self.limit = limit }

    func add(_ chunk: Data) {
        state.withLock { seen in
            seen.count += chunk.count
            seen.beginning += chunk.prefix(limit - seen.beginning.count)
        }
    }

    func seen(_ ending: Event.Ending, _ failure: (any Error)?) -> SeenBody {
        var seen = state.withLock { $0 }
        seen.ending = ending
        seen.failure = failure
        return seen
    }
}
