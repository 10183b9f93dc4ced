import InterceptorKit

/// What has begun and not ended, by description, in order of beginning.
final class Ledger: Sendable {
    struct Entry: Hashable, Sendable { fileprivate let number: UInt64 }

    private struct State {
        var lastNumber: UInt64 = 0
        var open: [(number: UInt64, description: String, cancel: (@Sendable () -> Void)?)] = []
    }

    private let state = Lock(State())

    /// The descriptions of all open entries.
    var open: [String] { state.withLock { $0.open.map(\.description) } }

    func begin(_ description: String) -> Entry {
        state.withLock { state in
            state.lastNumber += 1
            state.open.append((state.lastNumber, description, nil))
            return Entry(number: state.lastNumber)
        }
    }

    /// Says how an entry can be made to end; ignored if it has.
    func attach(_ cancel: @escaping @Sendable () -> Void, to entry: Entry) {
        state.withLock { state in
            guard let index = state.open.firstIndex(where: { $0.number == entry.number }) else {
                return
            }
            state.open[index].cancel = cancel
        }
    }

    func end(_ entry: Entry) {
        state.withLock { state in state.open.removeAll { $0.number == entry.number } }
    }

    func cancelAll() {
        let open = state.withLock { $0.open }
        for entry in open { entry.cancel?() }
    }
}
