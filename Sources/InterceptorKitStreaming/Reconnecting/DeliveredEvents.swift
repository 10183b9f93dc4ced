import InterceptorKit

/// The last delivered events with an id, used to drop events that a server repeats after a reconnection.
///
/// A server that resumes too early repeats a run of events up to the last delivered one. The run is dropped, with its
/// events that have no id; a new event ends it. Events are the same if they have the same id, type and data, so nothing
/// is lost from a server that numbers the events of each connection from 1.
struct DeliveredEvents: Sendable {
    private let capacity: Int
    // The hashes are seeded per process, so that a server cannot produce a collision.
    private var hashes: [Int] = []
    private var oldest = 0
    private var known: [Int: Int] = [:]
    private var last: Int?
    /// Whether the last event was a repetition and more may follow.
    private(set) var isRepeating = false
    private var mayRepeat = false

    init(capacity: Int) { self.capacity = max(0, capacity) }

    /// Begins a connection, on which the server may repeat events.
    mutating func beginConnection() {
        mayRepeat = last != nil
        isRepeating = false
    }

    /// Returns whether to deliver an event, and remembers it if so.
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
