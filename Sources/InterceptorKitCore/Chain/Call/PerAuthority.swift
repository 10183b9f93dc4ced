import InterceptorKitConcurrency
import Synchronization

/// A table with one state for each authority, of bounded size.
///
/// An interceptor keeps what it learns about a server (whether it fails, how many calls it accepts) under
/// ``InterceptorChain/authority``: the ``Call/authority`` of a call that names its server, or the
/// ``Interceptable/authority(of:)`` of its input. Redirects and links name authorities that the client does not choose,
/// so the table keeps at most ``limit`` states and removes the least recently used one to make room for another.
///
/// Only a state that nobody holds is removed. A call holds a state until it releases the reference, so the states of
/// calls under way stay, and the table exceeds its limit while all states are held.
///
/// ```swift
/// struct BudgetInterceptor<Input: Interceptable>: Interceptor {
///     private let budgets = PerAuthority { _ in Budget() }
///
///     func intercept(chain: InterceptorChain<Input>) async throws -> Input.Output {
///         let budget = budgets[chain.authority]
///         try await budget.spend()
///         return try await chain.proceed()
///     }
/// }
/// ```
public final class PerAuthority<State: AnyObject & Sendable>: Sendable {
    private struct Entry {
        let authority: String?
        var state: State
        var lastUse: UInt64
    }

    private struct Table {
        var entries: [Entry] = []
        private var indices: [String?: Int] = [:]
        private var latest = 0
        private var uses: UInt64 = 0

        func index(of authority: String?) -> Int? {
            // Most calls go to the same authority as the one before, and this comparison is faster than the look-up.
            if latest < entries.count, entries[latest].authority == authority { return latest }
            return indices[authority]
        }

        mutating func use(_ authority: String?) -> State? {
            guard let index = index(of: authority) else { return nil }
            uses += 1
            latest = index
            entries[index].lastUse = uses
            return entries[index].state
        }

        mutating func add(_ state: State, for authority: String?) {
            uses += 1
            latest = entries.count
            indices[authority] = latest
            entries.append(Entry(authority: authority, state: state, lastUse: uses))
        }

        /// Removes states that nobody holds until there are fewer than `limit`, or none is left to remove.
        mutating func makeRoom(below limit: Int) {
            while entries.count >= limit, dropOldest() {}
        }

        // Scans all entries, once for each new authority in a full table.
        private mutating func dropOldest() -> Bool {
            var oldest: Int?
            for index in entries.indices {
                if let oldest, entries[oldest].lastUse < entries[index].lastUse { continue }
                // Under the lock nobody can take a state from the table, so a state without holders gets none now.
                if isKnownUniquelyReferenced(&entries[index].state) { oldest = index }
            }
            guard let oldest else { return false }
            indices[entries[oldest].authority] = nil
            let last = entries.removeLast()
            guard oldest < entries.count else { return true }
            entries[oldest] = last
            indices[last.authority] = oldest
            return true
        }
    }

    /// The number of states that are kept, unless more are held.
    public let limit: Int

    private let make: @Sendable (_ authority: String?) -> State
    private let table = Lock(Table())

    /// Creates an empty table.
    /// - Parameters:
    ///   - limit: The number of states that are kept; at least one. Defaults to 64, the number of partitions in the
    ///     client of the AWS SDK for Rust.
    ///   - make: Makes the state of a new authority; `nil` stands for inputs without a known authority. If the first
    ///     two calls come at the same time, two states may be made, of which one is kept.
    public init(limit: Int = 64, make: @escaping @Sendable (_ authority: String?) -> State) {
        self.limit = max(1, limit)
        self.make = make
    }

    /// Returns the state of an authority, which is made if there is none.
    public subscript(authority: String?) -> State {
        if let state = table.withLock({ $0.use(authority) }) { return state }
        // Outside the lock, because the closure is foreign code.
        let made = make(authority)
        return table.withLock { table in
            if let state = table.use(authority) { return state }
            table.makeRoom(below: limit)
            table.add(made, for: authority)
            return made
        }
    }

    /// Returns the state of an authority if there is one. This does not count as a use.
    public func known(_ authority: String?) -> State? {
        table.withLock { table in table.index(of: authority).map { table.entries[$0].state } }
    }

    /// The authorities that have a state, in no particular order.
    public var authorities: [String?] { table.withLock { $0.entries.map(\.authority) } }
}

private struct CallDestination: Sendable {
    var authority: String?
    var partition: String?
}

// One key for both, because limits ask for both.
private enum CallDestinationKey: CallKey {
    static let defaultValue = CallDestination()
}

extension Call {
    /// The server that an attempt goes to, if the input's own authority does not identify it, as with several addresses
    /// behind one name. Defaults to `nil`, which means the input's authority.
    ///
    /// An interceptor that chooses the server sets it for the stages below, to a text that differs for each server,
    /// such as `https://api.example.com at 10.0.0.7:8443`. Circuit breakers, rate limits and adaptive limits below keep
    /// their state by this text, and their errors and events show it. It does not change where an input is sent.
    public var authority: String? {
        get { self[CallDestinationKey.self].authority }
        set { self[CallDestinationKey.self].authority = newValue }
    }

    /// The partition of the server's limits that the call counts against, such as a tenant or a user. Defaults to
    /// `nil`, which means unknown.
    ///
    /// A server with a limit for each tenant may ask one tenant to wait and not the others. Calls with the same
    /// authority and partition therefore share a wait that the server asks for, and other calls do not. Rate limits,
    /// adaptive limits and throttles keep their state by authority and partition. No error or event shows the
    /// partition.
    public var limitPartition: String? {
        get { self[CallDestinationKey.self].partition }
        set { self[CallDestinationKey.self].partition = newValue }
    }

    /// Returns the key of a limit's state: the authority, followed by the partition if there is one.
    fileprivate func limitKey(to authority: String?) -> String? {
        let destination = self[CallDestinationKey.self]
        let authority = destination.authority ?? authority
        guard let partition = destination.partition else { return authority }
        return "\(authority ?? "")\n\(partition)"
    }
}

extension InterceptorChain {
    /// The server that the input goes to: the call's ``Call/authority`` if set, else the input's; `nil` if unknown.
    ///
    /// Interceptors that see each attempt and keep state for each server use it as the key. Above a retry, or where
    /// nothing chooses the server, it is the input's authority.
    public var authority: String? {
        // The frame's own call suffices, because observation changes no value of a call.
        frame.call.authority ?? Input.authority(of: frame.input)
    }

    /// The key of a limit's state for the input; see ``Call/limitPartition``.
    var limitKey: String? { frame.call.limitKey(to: Input.authority(of: frame.input)) }
}

/// Returns the authority in a key of ``Call/limitKey(to:)``.
func authority(ofLimitKey key: String?) -> String? {
    guard let key, let end = key.utf8.firstIndex(of: UInt8(ascii: "\n")) else { return key }
    return end == key.startIndex ? nil : String(key[..<end])
}
