/// The calls that came lately, by their identity, and when.
///
/// A table of fixed size: of two calls that share a place, the earlier one is forgotten, and its retry may
/// come again. An endpoint that fails gets few calls, so its table remembers long.
struct LatestCalls: Sendable {
    // A power of two; 8 KiB. The earliest of all times stands for no call.
    private var entries = [(id: UInt64, time: Tick)](repeating: (0, .min), count: 512)

    mutating func note(_ id: UInt64, at time: Tick) { entries[place(of: id)] = (id, time) }

    /// When a call came last; `nil` if it didn't, as far as is known.
    func time(of id: UInt64) -> Tick? {
        let entry = entries[place(of: id)]
        return entry.id == id && entry.time > .min ? entry.time : nil
    }

    private func place(of id: UInt64) -> Int { Int(id & UInt64(entries.count - 1)) }
}
