import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// Which endpoints calls have tried, so that a retry or a hedge goes to another.
///
/// A table of fixed size with one place for each call, by its identity. When two calls at once share a place,
/// the earlier one is forgotten: its retry may go to the same endpoint again.
final class TriedEndpoints: Sendable {
    struct Tried: Sendable {
        fileprivate var call: UInt64 = 0
        private var numbers: (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)

        fileprivate init() {}

        fileprivate init(_ call: UInt64, _ number: UInt32) {
            self.call = call
            numbers.0 = number
        }

        fileprivate mutating func add(_ number: UInt32) {
            numbers = (number, numbers.0, numbers.1, numbers.2)
        }

        func contains(_ number: UInt32) -> Bool {
            numbers.0 == number || numbers.1 == number || numbers.2 == number
                || numbers.3 == number
        }
    }

    // A power of two; 16 KiB.
    private static let size = 512

    private let table = Lock([Tried](repeating: Tried(), count: size))

    /// What earlier attempts of a call tried; `nil` for a first attempt.
    func tried(by call: Call) -> Tried? {
        guard call.attempt > 1 else { return nil }
        let id = call.id.number
        let tried = table.withLock { $0[Int(id % UInt64(Self.size))] }
        return tried.call == id ? tried : nil
    }

    func note(_ number: UInt32, by call: Call) {
        let id = call.id.number
        let isFirst = call.attempt == 1
        table.withLock { table in
            let place = Int(id % UInt64(Self.size))
            if !isFirst, table[place].call == id {
                table[place].add(number)
            } else {
                table[place] = Tried(id, number)
            }
        }
    }
}
