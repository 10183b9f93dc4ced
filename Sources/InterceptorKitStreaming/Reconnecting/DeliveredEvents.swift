import InterceptorKit

/// The last events with an id that were delivered, to drop what a server sends again after a reconnection.
///
/// A server that resumes exactly never sends one of them. One that begins too early sends a run of them up to
/// the last: these are dropped, and so are events without an id between them. A new event ends the run.
/// Events count as the same if they have the same id, type and data, so that a server which numbers each
/// connection from 1 loses nothing.
struct DeliveredEvents: Sendable {
    private let capacity: Int
    // Hashes with a seed of the process, so that a server cannot choose two that are equal.
    private var hashes: [Int] = []
    private var oldest = 0
    private var known: [Int: Int] = [:]
    private var last: Int?
    /// Whether what came last was delivered before, and more of it may follow.
    private(set) var isRepeating = false
    private var mayRepeat = false

    init(capacity: Int) { self.capacity = max(0, capacity) }

    /// Expects that events may be sent again.
    mutating func beginConnection() {
        mayRepeat = last != nil
        isRepeating = false
    }

    /// Returns whether an event is to be delivered, and then remembers it.
    mutating func take(_ event: HTTP.ServerSentEvent, hasOwnID: Bool) -> Bool {
        guard capacity > 0 else { return true }
        guard hasOwnID else { return !isRepeating }
        let hash = Self.hash(event)
        if mayRepeat, known[hash] != nil {
            isRepeating = hash != last
            if hash == last { mayRepeat = false }
            return false
        }
        mayRepeat = false
        isRepeating = false
        remember(hash)
        return true
    }

    private mutating func remember(_ hash: Int) {
        last = hash
        known[hash, default: 0] += 1
        guard hashes.count == capacity else { return hashes.append(hash) }
        let forgotten = hashes[oldest]
        known[forgotten] = known[forgotten].flatMap { $0 > 1 ? $0 - 1 : nil }
        hashes[oldest] = hash
        oldest = (oldest + 1) % capacity
    }

    private static func hash(_ event: HTTP.ServerSentEvent) -> Int {
        var hasher = Hasher()
        hasher.combine(event.id)
        hasher.combine(event.type)
        hasher.combine(event.data)
        return hasher.finalize()
    }
}
