/// The ids and times of the latest calls to an endpoint.
///
/// The table has a fixed size. If two calls share a slot, the earlier one is forgotten, and its retry may go to the
/// same endpoint. A failing endpoint gets few calls, so its table covers a long time.
struct LatestCalls: Sendable {
    // A power of two; 8 KiB. The earliest time marks an empty slot.
    private var entries = [(id: UInt64, time: Tick)](repeating: (0, .min), count: 512)

    mutating func note(_ id: UInt64, at time: Tick) { entries[slot(of: id)] = (id, time) }

    /// Returns the time of a call; `nil` if it is not in the table.
    func time(of id: UInt64) -> Tick? {
        let entry = entries[slot(of: id)]
        return entry.id == id && entry.time > .min ? entry.time : nil
    }

    private func slot(of id: UInt64) -> Int { Int(id & UInt64(entries.count - 1)) }
}
