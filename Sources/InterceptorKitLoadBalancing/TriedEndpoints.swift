import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// Which endpoints calls have tried, so that a retry or a hedge goes to another.
///
/// Two tables of fixed size with a place for each call, by its identity: of attempts that have begun, for
/// hedges, which come soon, and of those that failed, for retries, which may come after many other calls. When
/// two calls share a place the earlier one is forgotten, and may go to the same endpoint again.
final class TriedEndpoints: Sendable {
    /// The endpoints that one call has tried.
    struct Tried: Sendable {
        fileprivate var begun: Entry?
        fileprivate var failed: Entry?

        func contains(_ number: UInt32) -> Bool {
            begun?.contains(number) ?? false || failed?.contains(number) ?? false
        }
    }

    fileprivate struct Entry: Sendable {
        var call: UInt64 = 0
        private var numbers: (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)

        mutating func add(_ number: UInt32, of call: UInt64, isFirst: Bool) {
            numbers =
                !isFirst && call == self.call
                ? (number, numbers.0, numbers.1, numbers.2) : (number, 0, 0, 0)
            self.call = call
        }

        func contains(_ number: UInt32) -> Bool {
            numbers.0 == number || numbers.1 == number || numbers.2 == number
                || numbers.3 == number
        }
    }

    // A power of two; 12 KiB a table.
    private static let size = 512

    private let begun = Lock([Entry](repeating: Entry(), count: size))
    private let failed = Lock([Entry](repeating: Entry(), count: size))

    /// What earlier attempts of a call tried; `nil` for a first attempt.
    func tried(by call: Call) -> Tried? {
        guard call.attempt > 1 else { return nil }
        let id = call.id.number
        let begun = begun.withLock { $0[Self.place(of: id)] }
        let failed = failed.withLock { $0[Self.place(of: id)] }
        return Tried(
            begun: begun.call == id ? begun : nil,
            failed: failed.call == id ? failed : nil
        )
    }

    /// Notes an attempt that begins.
    func noteBeginning(_ number: UInt32, by call: Call) {
        let id = call.id.number
        let isFirst = call.attempt == 1
        begun.withLock { $0[Self.place(of: id)].add(number, of: id, isFirst: isFirst) }
    }

    /// Notes an attempt that failed.
    func noteFailure(_ number: UInt32, by call: Call) {
        let id = call.id.number
        failed.withLock { $0[Self.place(of: id)].add(number, of: id, isFirst: false) }
    }

    private static func place(of id: UInt64) -> Int { Int(id % UInt64(size)) }
}
