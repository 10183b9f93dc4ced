/// The calls that came lately, by their identity.
///
/// A table of fixed size: of two calls that share a place, the earlier one is forgotten, and its retry may
/// come again. An endpoint that fails gets few calls, so its table remembers long.
struct LatestCalls: Sendable {
    // A power of two; 4 KiB. Identities are random, so 0 stands for none.
    private var identities = [UInt64](repeating: 0, count: 512)

    mutating func note(_ id: UInt64) { identities[place(of: id)] = id }

    func contains(_ id: UInt64) -> Bool { identities[place(of: id)] == id }

    private func place(of id: UInt64) -> Int { Int(id & UInt64(identities.count - 1)) }
}
